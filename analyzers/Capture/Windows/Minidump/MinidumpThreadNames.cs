using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The ThreadNames stream (MINIDUMP_THREAD_NAME: id and a 64-bit rva, packed to 12 bytes).</summary>
internal sealed class MinidumpThreadNames
{
    private const int RecordSize = 12;
    private const string What = "thread name";

    private readonly Dictionary<uint, Known<string>> _names = [];
    private readonly bool _hasStream;

    private MinidumpThreadNames(bool hasStream) => _hasStream = hasStream;

    public static MinidumpThreadNames Read(MappedFile file, MinidumpDirectory directory, CaptureLimits limits, List<Gap> gaps)
    {
        if (!directory.TryGet(MinidumpStreamType.ThreadNames, out MinidumpStream stream))
        {
            return new MinidumpThreadNames(false);
        }

        MinidumpThreadNames names = new(true);
        MinidumpList list = MinidumpList.Read(file, stream, RecordSize, limits.Threads, "thread names", isJudged: false, gaps);
        Span<byte> record = stackalloc byte[RecordSize];
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            ulong rva = BinaryPrimitives.ReadUInt64LittleEndian(record[4..]);
            names._names.TryAdd(
                BinaryPrimitives.ReadUInt32LittleEndian(record),
                MinidumpText.TryRead(file, rva, limits.NameLength, out string name)
                    ? Known.Read(SafeText.Clean(name))
                    : Known.Unknown<string>(What, $"the dump places it at 0x{rva:x}, which is not in the file"));
        }

        return names;
    }

    public Known<string> Name(uint thread) => _names.TryGetValue(thread, out Known<string>? name)
        ? name
        : _hasStream ? Known.Read("") : Known.Unknown<string>(What, "the dump has no ThreadNames stream");
}
