using System.Buffers.Binary;

namespace HangTriage.Traces;

/// <summary>Tells a trace from other files by its first bytes, never by its name.</summary>
public static class TraceRecognizer
{
    /// <summary>How many bytes of the file's start recognition needs.</summary>
    public const int HeadLength = 0x48 + 0x20;

    // WMI_BUFFER_HEADER: BufferSize at 0, BufferType at 0x36 (4 for the first buffer). The first event behind it has a
    // 32-bit or 64-bit SYSTEM header: type 1 or 2, marker 0xC0, hook 0.
    private const int BufferHeaderSize = 0x48;
    private const ushort HeaderBuffer = 4;
    private const uint LargestBuffer = 64 * 1024 * 1024;

    /// <summary>Null where the bytes start no trace.</summary>
    public static TraceFormat? Recognize(ReadOnlySpan<byte> head)
    {
        if (head.StartsWith("Nettrace"u8))
        {
            return TraceFormat.Nettrace;
        }

        if (head.Length < HeadLength)
        {
            return null;
        }

        uint size = BinaryPrimitives.ReadUInt32LittleEndian(head);
        ReadOnlySpan<byte> firstEvent = head[BufferHeaderSize..];
        return size is >= BufferHeaderSize and <= LargestBuffer
            && BinaryPrimitives.ReadUInt16LittleEndian(head[0x36..]) == HeaderBuffer
            && firstEvent[2] is 1 or 2
            && firstEvent[3] == 0xC0
            && BinaryPrimitives.ReadUInt16LittleEndian(firstEvent[6..]) == 0
                ? TraceFormat.Etl
                : null;
    }
}
