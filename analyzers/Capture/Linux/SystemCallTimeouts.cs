namespace HangTriage.Capture.Linux;

/// <summary>Whether a system call of x64 Linux that a thread stays in was given a time-out, by its arguments (the second to the fifth: rsi, rdx, r10, r8).</summary>
internal static class SystemCallTimeouts
{
    // FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2: the operations that wait.
    private const uint FutexWaits = (1u << 0) | (1u << 6) | (1u << 9) | (1u << 11) | (1u << 13);
    private const uint FutexOperation = 0x1F;

    /// <summary>Null for a call that takes no time-out, or none that is known here.</summary>
    public static bool? Of(uint number, ulong second, ulong third, ulong fourth, ulong fifth) => SystemCallNames.Of(number) switch
    {
        "futex" => (FutexWaits >> (int)(second & FutexOperation) & 1) != 0 ? fourth != 0 : null,
        "poll" => unchecked((int)third) >= 0,
        "ppoll" or "rt_sigtimedwait" => third != 0,
        "epoll_wait" or "epoll_pwait" => unchecked((int)fourth) >= 0,
        "epoll_pwait2" or "semtimedop" or "futex_waitv" => fourth != 0,
        "select" or "pselect6" => fifth != 0,
        "nanosleep" or "clock_nanosleep" => true,
        "pause" or "rt_sigsuspend" => false,
        _ => null,
    };
}
