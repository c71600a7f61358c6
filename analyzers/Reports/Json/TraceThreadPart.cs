namespace HangTriage.Reports.Json;

/// <summary>A thread of a trace.</summary>
internal sealed record TraceThreadPart
{
    public required string OsId { get; init; }

    public uint? Pid { get; init; }

    public string? Name { get; init; }

    public required double From { get; init; }

    public required double To { get; init; }

    public double? Running { get; init; }

    public double? Ready { get; init; }

    public double? Waiting { get; init; }

    public long? Switches { get; init; }

    public required IReadOnlyDictionary<string, TraceReasonPart> WaitReasons { get; init; }

    public int? Priority { get; init; }

    public int? Rank { get; init; }

    public TraceWaitPart? LongestWait { get; init; }

    public TraceReadyPart? LongestReady { get; init; }

    public required IReadOnlyList<TracePiecePart> Timeline { get; init; }

    public required long Samples { get; init; }

    public required IReadOnlyList<TraceFunctionPart> Functions { get; init; }

    public required IReadOnlyList<TraceTagPart> Tags { get; init; }

    public TraceIoPart? Reads { get; init; }

    public TraceIoPart? Writes { get; init; }

    public IReadOnlyDictionary<string, long>? Registry { get; init; }
}

internal sealed record TraceReasonPart(long Count, double Time);

internal sealed record TracePiecePart(string State, double From, double Length);

internal sealed record TraceTagPart(string Name, long Samples);

internal sealed record TraceFunctionPart(string Name, long Self, long Inclusive);

internal sealed record TraceReadiedByPart(string Thread, uint? Pid, string? Process, bool IsDeferred, IReadOnlyList<string>? Stack, string? Tag);

internal sealed record TraceWaitPart(double From, double Length, string? Reason, bool IsOpen, TraceReadiedByPart? ReadiedBy, IReadOnlyList<string>? Stack, string? Tag);

internal sealed record TraceReadyPart(double From, double Length, bool IsOpen, int? Priority, int? Rank, TraceReadiedByPart? ReadiedBy, TraceRunnersPart? Others);

internal sealed record TraceRunnersPart(int Count, int OfLowerPriority, int LowestPriority, int HighestPriority, int? LowestRank, int? HighestRank);
