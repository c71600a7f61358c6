using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Locks;

/// <summary>Says what is missing of a thread that can hide that it is idle.</summary>
internal static class UnseenRest
{
    /// <summary>Empty for a thread of which all that matters is known.</summary>
    public static IEnumerable<Gap> Of(ThreadAssessment thread)
    {
        if (thread.Thread.IsSuspended?.Gap is { } suspended)
        {
            yield return suspended;
        }

        if (thread.State == ThreadActivity.Sleeping && Timeouts.InCallOf(thread.Thread) is null
            && (thread.Thread.SystemCall?.Gap ?? Timeouts.SleepOf(thread.Thread)?.Gap) is { } sleep)
        {
            yield return sleep;
        }
    }
}
