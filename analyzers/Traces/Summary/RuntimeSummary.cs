using HangTriage.Facts;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Makes the facts of what .NET runtimes said.</summary>
internal static class RuntimeSummary
{
    /// <summary>The runtime's manifest: WaitHandleWaitSource.</summary>
    private const byte MonitorWait = 1;

    public static IReadOnlyList<TraceContention> Contentions(IReadOnlyList<ProcessLine> processes) =>
    [
        .. processes.Where(process => process.Runtime is not null)
            .SelectMany(process => process.Runtime!.Contentions.Select(pair => new TraceContention(
                process.Pid,
                new ThreadId(pair.Key.Waiter),
                pair.Key.Owner != 0 ? Known.Read(new ThreadId(pair.Key.Owner)) : Known.Unknown<ThreadId>("owner of the lock", "runtimes before .NET 8 do not tell it"),
                pair.Key.Lock != 0 ? Known.Read(new Address(pair.Key.Lock)) : Known.Unknown<Address>("lock", "runtimes before .NET 8 do not tell it"),
                pair.Value.Count,
                pair.Value.Longest is { } longest ? Known.Derived(new TimeSpan(longest)) : Known.Unknown<TimeSpan>("longest wait", "no wait ended within the trace"))))
            .OrderByDescending(contention => contention.Count).ThenBy(contention => contention.Waiter),
    ];

    public static IReadOnlyList<TraceHandleWait> HandleWaits(IReadOnlyList<ProcessLine> processes) =>
    [
        .. processes.Where(process => process.Runtime is not null)
            .SelectMany(process => process.Runtime!.HandleWaits.Select(pair => new TraceHandleWait(
                process.Pid,
                new ThreadId(pair.Key.Waiter),
                pair.Key.Source == MonitorWait ? "Monitor.Wait" : "WaitHandle",
                pair.Value.Count,
                pair.Value.Longest is { } longest ? Known.Derived(new TimeSpan(longest)) : Known.Unknown<TimeSpan>("longest wait", "no wait ended within the trace"))))
            .OrderByDescending(wait => wait.Count).ThenBy(wait => wait.Waiter),
    ];

    public static IReadOnlyList<TraceRuntime> Runtimes(IReadOnlyList<ProcessLine> processes) =>
    [
        .. processes.Where(process => process.Runtime is not null).Select(process => new TraceRuntime(
            process.Pid,
            process.Runtime!.PoolWorkers is { } workers ? Known.Read(workers) : Known.Unknown<int>("workers of the thread pool", "the trace has no decision of the pool"),
            process.Runtime.Adjustments,
            process.Runtime.Starvations,
            process.Runtime.Suspensions,
            new TimeSpan(process.Runtime.Suspended),
            new TimeSpan(process.Runtime.LongestSuspension))),
    ];
}
