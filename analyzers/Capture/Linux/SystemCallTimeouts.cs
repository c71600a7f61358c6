using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Linux;

/// <summary>Whether a system call of x64 Linux that a thread stays in was given a timeout, by its arguments (the second to the fifth: rsi, rdx, r10, r8).</summary>
internal static class SystemCallTimeouts
{
    // FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2: the operations that wait.
    private const uint FutexWaits = (1u << 0) | (1u << 6) | (1u << 9) | (1u << 11) | (1u << 13);
    private const uint FutexOperation = 0x1F;

    /// <summary>Null for a call that takes no timeout, or none that is known here.</summary>
    public static bool? Of(uint number, ulong second, ulong third, ulong fourth, ulong fifth)
    {
        KnownCall? call = LinuxCalls.Table.Find(number);
        ulong timeout = call?.TimeoutArgument switch { 3 => third, 4 => fourth, 5 => fifth, _ => 0 };
        return call?.End switch
        {
            CallEnd.ByItself => true,
            CallEnd.Never => false,
            CallEnd.UnlessNull => timeout != 0,
            CallEnd.UnlessNegative => unchecked((int)timeout) >= 0,
            CallEnd.ByOperation when (FutexWaits >> (int)(second & FutexOperation) & 1) != 0 => timeout != 0,
            _ => null,
        };
    }
}
