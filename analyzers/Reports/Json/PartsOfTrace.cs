using HangTriage.Facts;

namespace HangTriage.Reports.Json;

/// <summary>Turns a trace into its part of the JSON report. What is not known is left out.</summary>
internal static class PartsOfTrace
{
    /// <summary>One process's share of a trace that is joined to a capture.</summary>
    public static TracePart Of(CaseTrace trace, uint pid) => Of(trace.Facts.Of(pid), trace.File) with
    {
        JoinedBy = trace.Join.By is { } by ? JsonNames.Of(by) : null,
        Moment = trace.Join.By is null ? null : Milliseconds(trace.Join.Moment),
    };

    public static TracePart Of(TraceFacts trace, string file) => new()
    {
        File = file,
        Kind = JsonNames.Of(trace.Kind),
        Window = new TraceWindowPart(ValueOf(trace.Start), trace.Start.TryGet(out DateTimeOffset start) ? start + trace.Length : null, trace.Length.TotalMilliseconds),
        Processors = ValueOf(trace.Processors),
        Lost = new TraceLostPart(ValueOf(trace.LostEvents), ValueOf(trace.LostBuffers)),
        Events = trace.Events.ToDictionary(count => count.Name, count => count.Count),
        Decoded = [.. trace.Events.Where(count => count.IsDecoded).Select(count => count.Name)],
        Stacks = new TraceStacksPart(trace.Stacks.Walks, trace.Stacks.Joined, trace.Stacks.References, trace.Stacks.Resolved),
        Switches = ValueOf(trace.Switches),
        Processes = [.. trace.Processes.Select(Of)],
        Threads = [.. trace.Threads.Select(Of)],
        Readiers = [.. trace.Readiers.Select(readier => new TraceReadierPart(readier.Pid, readier.ByPid, Text(readier.ByName), readier.Waits, readier.Time.TotalMilliseconds, readier.Longest.TotalMilliseconds))],
        Contentions = [.. trace.Contentions.Select(Of)],
        HandleWaits = [.. trace.HandleWaits.Select(wait => new TraceHandleWaitPart(wait.Pid, wait.Waiter.ToString(), wait.Call, wait.Count, Milliseconds(wait.Longest)))],
        Runtimes = [.. trace.Runtimes.Select(Of)],
        Gaps = [.. trace.Gaps.Select(gap => new GapPart(gap.What, gap.Why))],
    };

    private static TraceProcessPart Of(TraceProcess process) => new()
    {
        Pid = process.Pid,
        Name = Text(process.Name),
        Started = Milliseconds(process.Started),
        Ended = Milliseconds(process.Ended),
        Cpu = Milliseconds(process.Cpu),
        Samples = process.Samples,
        Threads = process.Threads,
        Reads = Of(process.Reads),
        Writes = Of(process.Writes),
        Registry = process.Registry.ToDictionary(calls => calls.Name, calls => calls.Count),
        Frozen = process.Frozen.TotalMilliseconds,
    };

    private static TraceThreadPart Of(TraceThread thread)
    {
        TraceTimes? times = thread.Times.TryGet(out TraceTimes? known) ? known : null;
        return new TraceThreadPart
        {
            OsId = thread.OsId.ToString(),
            Pid = ValueOf(thread.Pid),
            Name = Text(thread.Name),
            From = thread.From.TotalMilliseconds,
            To = thread.To.TotalMilliseconds,
            Running = times?.Running.TotalMilliseconds,
            Ready = times?.Ready.TotalMilliseconds,
            Waiting = times?.Waiting.TotalMilliseconds,
            Switches = times?.Switches,
            WaitReasons = thread.WaitReasons.ToDictionary(reason => reason.Name, reason => new TraceReasonPart(reason.Count, reason.Time.TotalMilliseconds)),
            Priority = ValueOf(thread.Priority),
            Rank = ValueOf(thread.Rank),
            LongestWait = thread.LongestWait is { } wait
                ? new TraceWaitPart(wait.From.TotalMilliseconds, wait.Length.TotalMilliseconds, Text(wait.Reason), wait.IsOpen, Of(wait.By), Stack(wait.Stack), wait.Tag)
                : null,
            LongestReady = thread.LongestReady is { } ready
                ? new TraceReadyPart(ready.From.TotalMilliseconds, ready.Length.TotalMilliseconds, ready.IsOpen, ValueOf(ready.Priority), ValueOf(ready.Rank), Of(ready.By), Of(ready.Others))
                : null,
            Timeline = [.. thread.Timeline.Select(piece => new TracePiecePart(JsonNames.Of(piece.State), piece.From.TotalMilliseconds, piece.Length.TotalMilliseconds))],
            Samples = thread.Samples,
            Functions = [.. thread.Functions.Select(function => new TraceFunctionPart(function.Name, function.Self, function.Inclusive))],
            Tags = [.. thread.Tags.Select(tag => new TraceTagPart(tag.Name, tag.Samples))],
            Reads = thread.Reads.Calls > 0 ? Of(thread.Reads) : null,
            Writes = thread.Writes.Calls > 0 ? Of(thread.Writes) : null,
            Registry = thread.Registry.Count > 0 ? thread.Registry.ToDictionary(calls => calls.Name, calls => calls.Count) : null,
        };
    }

    private static TraceContentionPart Of(TraceContention contention) => new(
        contention.Pid,
        contention.Waiter.ToString(),
        contention.Owner.TryGet(out ThreadId owner) ? owner.ToString() : null,
        contention.Lock.TryGet(out Address address) ? address.ToString() : null,
        contention.Count,
        Milliseconds(contention.Longest));

    private static TraceRuntimePart Of(TraceRuntime runtime) => new(
        runtime.Pid, ValueOf(runtime.PoolWorkers), runtime.Adjustments, runtime.Starvations, runtime.Suspensions, runtime.Suspended.TotalMilliseconds, runtime.LongestSuspension.TotalMilliseconds);

    private static TraceReadiedByPart? Of(Known<TraceReadiedBy> known)
        => known.TryGet(out TraceReadiedBy? by) ? new TraceReadiedByPart(by.Thread.ToString(), ValueOf(by.Pid), Text(by.ProcessName), by.IsDeferred, Stack(by.Stack), by.Tag) : null;

    private static TraceRunnersPart? Of(Known<TraceRunners> known)
        => known.TryGet(out TraceRunners? others)
            ? new TraceRunnersPart(others.Count, others.OfLowerPriority, others.LowestPriority, others.HighestPriority, ValueOf(others.LowestRank), ValueOf(others.HighestRank))
            : null;

    private static TraceIoPart Of(TraceIo io) => new(io.Calls, io.Bytes, io.Mean);

    private static IReadOnlyList<string>? Stack(Known<IReadOnlyList<string>> stack) => stack.TryGet(out IReadOnlyList<string>? frames) ? frames : null;

    private static string? Text(Known<string> text) => text.TryGet(out string? value) ? value : null;

    private static double? Milliseconds(Known<TimeSpan> span) => span.TryGet(out TimeSpan value) ? value.TotalMilliseconds : null;

    private static T? ValueOf<T>(Known<T> fact)
        where T : struct
        => fact.TryGet(out T value) ? value : null;
}
