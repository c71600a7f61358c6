namespace HangTriage.Reports.Json;

/// <summary>What a trace says; moments are milliseconds from its window's start, lengths milliseconds.</summary>
internal sealed record TracePart
{
    public required string File { get; init; }

    public required string Kind { get; init; }

    public required TraceWindowPart Window { get; init; }

    /// <summary>How it is known to be of the captured process; null for a trace alone.</summary>
    public string? JoinedBy { get; init; }

    /// <summary>When the capture was taken, in milliseconds from the window's start; null where that is not known.</summary>
    public double? Moment { get; init; }

    public int? Processors { get; init; }

    public required TraceLostPart Lost { get; init; }

    /// <summary>How often each event is in it, by name.</summary>
    public required IReadOnlyDictionary<string, long> Events { get; init; }

    /// <summary>The names of those events whose contents were read; the others are counted only.</summary>
    public required IReadOnlyList<string> Decoded { get; init; }

    public required TraceStacksPart Stacks { get; init; }

    public long? Switches { get; init; }

    public required IReadOnlyList<TraceProcessPart> Processes { get; init; }

    public required IReadOnlyList<TraceThreadPart> Threads { get; init; }

    public required IReadOnlyList<TraceReadierPart> Readiers { get; init; }

    public required IReadOnlyList<TraceContentionPart> Contentions { get; init; }

    public required IReadOnlyList<TraceHandleWaitPart> HandleWaits { get; init; }

    public required IReadOnlyList<TraceRuntimePart> Runtimes { get; init; }

    public required IReadOnlyList<GapPart> Gaps { get; init; }
}

internal sealed record TraceWindowPart(DateTimeOffset? Start, DateTimeOffset? End, double Length);

internal sealed record TraceLostPart(long? Events, long? Buffers);

internal sealed record TraceStacksPart(long Walks, long Joined, long References, long Resolved);

internal sealed record TraceIoPart(long Calls, long Bytes, double Mean);

internal sealed record TraceReadierPart(uint Pid, uint ByPid, string? ByName, long Waits, double Time, double Longest);

internal sealed record TraceContentionPart(uint Pid, string Waiter, string? Owner, string? Lock, long Count, double? Longest);

internal sealed record TraceHandleWaitPart(uint Pid, string Waiter, string Call, long Count, double? Longest);

internal sealed record TraceRuntimePart(uint Pid, int? PoolWorkers, long Adjustments, long Starvations, long Suspensions, double Suspended, double LongestSuspension);
