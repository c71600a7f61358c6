using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>MINIDUMP_EXCEPTION_STREAM: the exception for which the dump was written (minidumpapiset.h).</summary>
internal static class MinidumpException
{
    // The thread's id, padding, and the code of the exception.
    private const int Size = 12;
    private const int CodeAt = 8;

    /// <summary>Null where the dump has no exception, or one that ends no process.</summary>
    public static CrashFacts? Read(MappedFile file, MinidumpDirectory directory)
    {
        Span<byte> head = stackalloc byte[Size];
        if (!directory.TryGet(MinidumpStreamType.Exception, out MinidumpStream stream) || stream.Size < Size || !file.TryRead(stream.Offset, head))
        {
            return null;
        }

        uint thread = BinaryPrimitives.ReadUInt32LittleEndian(head);
        uint code = BinaryPrimitives.ReadUInt32LittleEndian(head[CodeAt..]);
        return WindowsCrash.Of(code, thread);
    }
}
