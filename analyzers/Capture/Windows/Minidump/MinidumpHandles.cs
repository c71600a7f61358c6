using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// The HandleData stream (MINIDUMP_HANDLE_DATA_STREAM): descriptors of 32 bytes, or of 40 which lead to a chain of
/// MINIDUMP_HANDLE_OBJECT_INFORMATION.
/// </summary>
internal static class MinidumpHandles
{
    private const int HeadSize = 16;
    private const int DescriptorSize = 32;
    private const int ExtendedSize = 40;
    private const int LongestType = 64;
    private const string What = "handles";

    public static Known<IReadOnlyList<HandleFacts>> Read(
        MappedFile file, MinidumpDirectory directory, CaptureContext context, List<Gap> gaps)
    {
        Span<byte> record = stackalloc byte[ExtendedSize];
        if (!directory.TryGet(MinidumpStreamType.HandleData, out MinidumpStream stream) || !file.TryRead(stream.Offset, record[..HeadSize]))
        {
            return Known.Unknown<IReadOnlyList<HandleFacts>>(What, "the dump has no HandleData stream; a dump with handle data (0x4) has");
        }

        uint headSize = BinaryPrimitives.ReadUInt32LittleEndian(record);
        uint recordSize = BinaryPrimitives.ReadUInt32LittleEndian(record[4..]);
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        if (headSize is < HeadSize or > 4096 || recordSize is < DescriptorSize or > 4096)
        {
            return Known.Unknown<IReadOnlyList<HandleFacts>>(
                What, $"the dump's HandleData has a head of {headSize} and entries of {recordSize} bytes");
        }

        MinidumpList list = MinidumpList.Create(file, stream, headSize, (int)recordSize, count, context.Limits.Handles, What, isJudged: false, gaps);
        List<HandleFacts> handles = new(Math.Min(list.Count, 4096));
        Dictionary<uint, Known<string>> types = [];
        record = record[..(recordSize >= ExtendedSize ? ExtendedSize : DescriptorSize)];
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            handles.Add(Parse(file, record, types, context.Limits));
        }

        return Known.Read<IReadOnlyList<HandleFacts>>(handles);
    }

    private static HandleFacts Parse(
        MappedFile file, ReadOnlySpan<byte> record, Dictionary<uint, Known<string>> types, CaptureLimits limits)
    {
        uint typeRva = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        if (!types.TryGetValue(typeRva, out Known<string>? type))
        {
            type = MinidumpText.TryRead(file, typeRva, LongestType, out string text) && text.Length > 0
                ? Known.Read(SafeText.Clean(text))
                : Known.Unknown<string>("type", "the dump does not say");
            types.Add(typeRva, type);
        }

        uint nameRva = BinaryPrimitives.ReadUInt32LittleEndian(record[12..]);
        HandleFacts handle = new()
        {
            Value = new Address(BinaryPrimitives.ReadUInt64LittleEndian(record)),
            Type = type,
            Name = nameRva == 0 ? Known.Read("")
                : MinidumpText.TryRead(file, nameRva, limits.NameLength, out string name) ? Known.Read(SafeText.FileName(name))
                : Known.Unknown<string>("name", $"the dump places it at 0x{nameRva:x}, which is not in the file"),
        };
        return MinidumpHandleInformation.AddTo(
            handle, file, record.Length >= ExtendedSize ? BinaryPrimitives.ReadUInt32LittleEndian(record[32..]) : 0);
    }
}
