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

    // The two bits of the severity: breakpoints and requests for a dump are warnings or less.
    private const uint Error = 0xC000_0000;

    // Windows Error Reporting states it for a program that does not answer: no crash (STATUS_APPLICATION_HANG).
    private const uint ApplicationHang = 0xCFFF_FFFF;

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
        return (code & Error) != Error || code == ApplicationHang ? null : new CrashFacts(code, NameOf(code), thread == 0 ? null : new ThreadId(thread));
    }

    // ntstatus.h, and the codes that the runtimes of .NET and C++ raise.
    private static string NameOf(uint code) => code switch
    {
        0xC0000005 => "access violation",
        0xC0000006 => "in-page error",
        0xC000001D => "illegal instruction",
        0xC0000094 => "integer division by zero",
        0xC0000096 => "privileged instruction",
        0xC00000FD => "stack overflow",
        0xC0000135 => "DLL not found",
        0xC0000142 => "DLL initialization failed",
        0xC0000374 => "heap corruption",
        0xC0000409 => "fail fast",
        0xC0000602 => "fail fast",
        0xE0434352 => ".NET exception",
        0xE06D7363 => "C++ exception",
        _ => string.Empty,
    };
}
