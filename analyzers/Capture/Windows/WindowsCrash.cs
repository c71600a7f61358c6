using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

/// <summary>Which exceptions end a process.</summary>
public static class WindowsCrash
{
    // The two bits of the severity: breakpoints and requests for a dump are warnings or less.
    private const uint Error = 0xC000_0000;

    // Windows Error Reporting states it for a program that does not answer: no crash (STATUS_APPLICATION_HANG).
    private const uint ApplicationHang = 0xCFFF_FFFF;

    // COR_E_FAILFAST, of Environment.FailFast (corerror.h): a failure, without the bits of an error.
    private const uint RuntimeFailFast = 0x8013_1623;

    // STATUS_STACK_BUFFER_OVERRUN, which __fastfail raises for whatever reason, and STATUS_FAIL_FAST_EXCEPTION.
    private const uint StackBufferOverrun = 0xC000_0409;
    private const uint FailFastException = 0xC000_0602;

    /// <summary>Null where an exception of this code ends no process.</summary>
    /// <param name="code">The code of the exception.</param>
    /// <param name="thread">The id of its thread; 0 where it is not known.</param>
    public static CrashFacts? Of(uint code, uint thread)
        => ((code & Error) != Error && code != RuntimeFailFast) || code == ApplicationHang
            ? null
            : new CrashFacts(code, NameOf(code), thread == 0 ? null : new ThreadId(thread))
            {
                Origin = code is RuntimeFailFast or StackBufferOverrun or FailFastException ? CrashOrigin.Abort : CrashOrigin.Fault,
            };

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
        RuntimeFailFast => ".NET fail fast",
        StackBufferOverrun or FailFastException => "fail fast",
        0xE0434352 => ".NET exception",
        0xE06D7363 => "C++ exception",
        _ => string.Empty,
    };
}
