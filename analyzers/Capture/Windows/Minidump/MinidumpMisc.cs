using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>MINIDUMP_MISC_INFO: the process's id and start.</summary>
internal sealed record MinidumpMisc(Known<uint> Pid, Known<DateTimeOffset> StartedAt)
{
    private const int Size = 16; // up to and with ProcessCreateTime
    private const uint HasProcessId = 1;
    private const uint HasProcessTimes = 2;

    public static MinidumpMisc Read(MappedFile file, MinidumpDirectory directory)
    {
        Span<byte> info = stackalloc byte[Size];
        if (!directory.TryGet(MinidumpStreamType.MiscInfo, out MinidumpStream stream) || stream.Size < Size || !file.TryRead(stream.Offset, info))
        {
            const string NoStream = "the dump has no MiscInfo stream";
            return new MinidumpMisc(Known.Unknown<uint>("process id", NoStream), Known.Unknown<DateTimeOffset>("start of the process", NoStream));
        }

        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(info[4..]);
        Known<uint> pid = (flags & HasProcessId) != 0
            ? Known.Read(BinaryPrimitives.ReadUInt32LittleEndian(info[8..]))
            : Known.Unknown<uint>("process id", "the dump does not say");
        Known<DateTimeOffset> start = MinidumpTime.FromUnix(
            (flags & HasProcessTimes) != 0 ? BinaryPrimitives.ReadUInt32LittleEndian(info[12..]) : 0, "start of the process");
        return new MinidumpMisc(pid, start);
    }
}
