namespace HangTriage.Reports.Json;

/// <summary>A process of a trace.</summary>
internal sealed record TraceProcessPart
{
    public required uint Pid { get; init; }

    public string? Name { get; init; }

    public double? Started { get; init; }

    public double? Ended { get; init; }

    public double? Cpu { get; init; }

    public required long Samples { get; init; }

    public required int Threads { get; init; }

    public required TraceIoPart Reads { get; init; }

    public required TraceIoPart Writes { get; init; }

    public required IReadOnlyDictionary<string, long> Registry { get; init; }

    public required double Frozen { get; init; }
}
