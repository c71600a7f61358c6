using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Scheduling;

/// <summary>Says in words for how long a thread was ready, beside whom, and what the trace rules out.</summary>
internal static class ReadyText
{
    private const string Source = "trace";
    private const string CapReason = "WrCpuRateControl";

    public static string Priority(TraceReady ready)
        => ready.Priority.TryGet(out int priority) ? string.Create(CultureInfo.InvariantCulture, $" at priority {priority}") : string.Empty;

    /// <summary>"rank 2 against rank 0 of the 7 threads that ran"; "rank not recorded".</summary>
    public static string Ranks(TraceReady ready)
    {
        string ran = ready.Others.TryGet(out TraceRunners? others) ? Count.Of(others.Count, "thread") : "others";
        return ready.Rank.TryGet(out int rank) && others is not null && others.LowestRank.TryGet(out int low) && others.HighestRank.TryGet(out int high)
            ? string.Create(CultureInfo.InvariantCulture, $"rank {rank} against rank {(low == high ? $"{low}" : $"{low} to {high}")} of the {ran} that ran")
            : $"{ran} ran, rank not recorded";
    }

    public static IEnumerable<Evidence> Evidence(Claim label, TraceThread thread, TraceReady ready)
    {
        string by = ready.By.TryGet(out TraceReadiedBy? readied) ? $" by thread {readied.Thread} of {(readied.ProcessName.TryGet(out string? name) ? name : "an unknown process")}" : string.Empty;
        string at = By(ready, readied);
        yield return Of(thread, $"{label} was readied at {At(ready.From)}{by}{at} and {(ready.IsOpen ? "was not switched to before the trace's end" : $"was switched to at {At(ready.From + ready.Length)}")}: {Durations.Of(ready.Length)}");
        if (thread.Times.TryGet(out TraceTimes? times))
        {
            yield return Of(thread, $"in the {Durations.Of(thread.To - thread.From)} of the trace it ran for {Durations.Of(times.Running)}, was ready for {Durations.Of(times.Ready)} and waited for {Durations.Of(times.Waiting)}");
        }
    }

    /// <summary>Other reasons for which the scheduler passes a thread by, and the figures that speak against them.</summary>
    public static IEnumerable<Evidence> RuledOut(TraceFacts trace, TraceThread thread, TraceReady ready)
    {
        if (ready.Others.TryGet(out TraceRunners? others) && others.OfLowerPriority > 0)
        {
            yield return Of(thread, $"not its priority: {Count.Of(others.OfLowerPriority, "thread")} of lower priority ran meanwhile, down to {others.LowestPriority}");
        }

        if (ready.IsStackPagedOut.Is(isPagedOut => !isPagedOut))
        {
            yield return Of(thread, "not a kernel stack that was paged out: the event that readied it says so");
        }

        if (thread.WaitReasons.Count > 0 && thread.WaitReasons.All(reason => reason.Name != CapReason))
        {
            yield return Of(thread, $"not a CPU limit of its job: none of its {Count.Of((int)Math.Min(int.MaxValue, thread.WaitReasons.Sum(reason => reason.Count)), "switch-out")} was for one");
        }

        bool hasFreezes = trace.Events.Any(count => count.Name.Contains("ProcessFreeze", StringComparison.Ordinal));
        if (hasFreezes && trace.Processes.FirstOrDefault(process => thread.Pid.Is(id => id == process.Pid)) is { Frozen.Ticks: 0 })
        {
            yield return Of(thread, "not a freeze: the trace records those, and none of this process");
        }
    }

    public static IEnumerable<Gap> Gaps(TraceReady ready)
    {
        if (ready.Rank.Gap is { } rank)
        {
            yield return rank;
        }

        if (ready.By.Gap is { } by)
        {
            yield return by;
        }
    }

    private static string By(TraceReady ready, TraceReadiedBy? readied)
        => readied is not null && readied.Stack.TryGet(out IReadOnlyList<string>? stack) && stack.Count > 0 ? $" in {stack[0]}" : string.Empty;

    private static string At(TimeSpan moment) => string.Create(CultureInfo.InvariantCulture, $"{moment.TotalSeconds:0.000} s");

    private static Evidence Of(TraceThread thread, Claim claim) => new(claim, Source, Trust.Derived) { Thread = thread.OsId };
}
