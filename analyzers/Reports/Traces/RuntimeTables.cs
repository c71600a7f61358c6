using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Traces;

/// <summary>What .NET runtimes say of themselves in a trace.</summary>
internal static class RuntimeTables
{
    private const int MostRows = 10;

    /// <summary>Null where there is nothing to show.</summary>
    public static TraceTable? HandleWaits(TraceFacts trace, uint? pid)
    {
        TraceHandleWait[] shown = [.. trace.HandleWaits.Where(wait => pid is null || wait.Pid == pid)];
        return shown.Length == 0 ? null : new TraceTable(
            ".NET waits for events, semaphores and threads",
            ["pid", "thread", "call", "waits", "longest"],
            [.. shown.Take(MostRows).Select(wait => (string[])[Number(wait.Pid, ""), wait.Waiter.ToString(), wait.Call, Number(wait.Count), wait.Longest.TryGet(out TimeSpan longest) ? Durations.Of(longest) : "not ended"])],
            shown.Length > MostRows ? string.Create(CultureInfo.InvariantCulture, $"... and {shown.Length - MostRows} more.") : null);
    }

    /// <summary>Null where there is nothing to show.</summary>
    public static TraceTable? Runtimes(TraceFacts trace, uint? pid)
    {
        TraceRuntime[] shown = [.. trace.Runtimes.Where(runtime => pid is null || runtime.Pid == pid).Where(runtime => runtime.Adjustments > 0 || runtime.Suspensions > 0)];
        return shown.Length == 0 ? null : new TraceTable(
            ".NET thread pools and collections",
            ["pid", "workers", "decisions", "for starvation", "collections", "stopped for", "longest"],
            [
                .. shown.Take(MostRows).Select(runtime => (string[])
                [
                    Number(runtime.Pid, ""), runtime.PoolWorkers.TryGet(out int workers) ? Number(workers) : "?", Number(runtime.Adjustments), Number(runtime.Starvations),
                    Number(runtime.Suspensions), Durations.Of(runtime.Suspended), Durations.Of(runtime.LongestSuspension),
                ]),
            ]);
    }

    private static string Number(long number, string format = "#,0") => number.ToString(format, CultureInfo.InvariantCulture);
}
