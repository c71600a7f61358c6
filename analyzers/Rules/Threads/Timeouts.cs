using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What a thread's system call tells of the end of whatever it waits for.</summary>
internal static class Timeouts
{
    /// <summary>Whether the system call that the thread is in ends by itself; null where it is in none, or its arguments do not tell.</summary>
    public static bool? InCallOf(ThreadFacts thread)
        => CallOf(thread)?.HasTimeout ?? (SleepOf(thread) is { HasValue: true } sleep ? sleep.Value != Timeout.InfiniteTimeSpan : null);

    /// <summary>The thread sleeps, and is not known to do so for ever.</summary>
    public static bool Sleeps(ThreadAssessment thread) => thread.State == ThreadActivity.Sleeping && InCallOf(thread.Thread) != false;

    /// <summary>The same, or it works.</summary>
    public static bool IsAwake(ThreadAssessment thread) => thread.State == ThreadActivity.Running || Sleeps(thread);

    /// <summary>For how long the thread sleeps, where it does and that was read.</summary>
    public static Known<TimeSpan>? SleepOf(ThreadFacts thread) => CallOf(thread)?.Delay;

    private static SystemCallFacts? CallOf(ThreadFacts thread) => thread.SystemCall is { } known && known.TryGet(out SystemCallFacts? call) ? call : null;
}
