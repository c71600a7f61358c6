using HangTriage.Capture.Windows.Locks;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows.Locks;

/// <summary>Which function of ntdll a waiting thread asked for a lock, by names as each source gives them.</summary>
public sealed class WaitEntryTests
{
    [Theory]
    [InlineData("RtlEnterCriticalSection", 2, "NtWaitForAlertByThreadId", "RtlpWaitForCriticalSection", "RtlEnterCriticalSection", "LdrpAcquireLoaderLock")]
    [InlineData("RtlEnterCriticalSection", 3, "ZwWaitForAlertByThreadId", "RtlpWaitOnCriticalSection", "RtlpEnterCriticalSectionContended", "RtlEnterCriticalSection")]
    [InlineData("RtlAcquireSRWLockExclusive", 1, "ZwWaitForKeyedEvent", "RtlAcquireSRWLockExclusive")]
    public void The_outermost_function_of_the_lock_is_the_entry(string expected, int at, params string[] functions)
    {
        WaitEntry? entry = WaitEntry.Find([.. functions.Select(Frame)]);

        Assert.Equal((expected, at), (entry?.Method, entry?.Frame));
    }

    [Theory]
    [InlineData("NtDelayExecution", "RtlEnterCriticalSection")]
    [InlineData("NtWaitForAlertByThreadId", "RtlRunOnceExecuteOnce")]
    [InlineData("RtlEnterCriticalSection")]
    public void A_thread_that_does_not_wait_for_a_lock_that_is_read_has_none(params string[] functions)
        => Assert.Null(WaitEntry.Find([.. functions.Select(Frame)]));

    private static FrameFacts Frame(string function) => new()
    {
        Ip = new Address(0x1000),
        Sp = new Address(0x2000),
        Kind = FrameKind.Native,
        Trust = Trust.Derived,
        Module = "ntdll.dll",
        Method = function,
    };
}
