using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Scheduling;

/// <summary>Whether what a thread waits for comes again and again.</summary>
internal static class Turns
{
    /// <summary>Why the thread needs no other explanation, as a clause; null where nothing in the trace gives one.</summary>
    public static string? Why(TraceThread thread)
    {
        if (!thread.Times.TryGet(out TraceTimes? times) || times.Switches == 0)
        {
            return null;
        }

        long waits = WaitsOf(thread);
        TimeSpan longest = thread.LongestWait?.Length ?? TimeSpan.Zero;
        string turns = Count.Of((int)Math.Min(times.Switches, int.MaxValue), "turn");
        string figures = $"ran for {Durations.Of(times.Running)} in {turns}, and waited for {Durations.Of(longest)} at most";
        return thread.LongestReady?.Length >= Thresholds.ReadyForLong ? null
            : waits < Thresholds.RegularWaits ? null
            : longest < Thresholds.ShortWait ? figures
            : longest <= times.Waiting / waits * Thresholds.RegularShare ? $"{figures}, about as long each time"
            : null;
    }

    public static bool AreRegular(TraceThread? thread) => thread is not null && Why(thread) is not null;

    private static long WaitsOf(TraceThread thread) => thread.WaitReasons.Where(reason => !reason.IsReady).Sum(reason => reason.Count);
}
