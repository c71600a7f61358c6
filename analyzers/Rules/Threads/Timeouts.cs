using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What a thread's system call tells of the time-out of whatever it waits for.</summary>
internal static class Timeouts
{
    /// <summary>Whether the system call that the thread is in ends by itself; null where it is in none, or its arguments do not tell.</summary>
    public static bool? InCallOf(ThreadFacts thread)
        => thread.SystemCall is { } known && known.TryGet(out SystemCallFacts? call) ? call.HasTimeout : null;
}
