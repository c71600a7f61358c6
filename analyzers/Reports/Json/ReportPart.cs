using System.Text.Json.Serialization;

namespace HangTriage.Reports.Json;

/// <summary>The JSON report; docs/report-schema.json describes it. Parts are added, never renamed.</summary>
internal sealed record ReportPart
{
    public const int CurrentSchema = 1;

    [JsonPropertyOrder(-1)]
    public int Schema { get; init; } = CurrentSchema;

    public required ToolPart Tool { get; init; }

    public required TargetPart Target { get; init; }

    public required VerdictPart Verdict { get; init; }

    public required IReadOnlyList<FindingPart> Findings { get; init; }

    public required IReadOnlyList<RulePart> Rules { get; init; }

    /// <summary>Waits whose end is unknown and that are not known to be idling, the heaviest first.</summary>
    public IReadOnlyList<SuspectPart> Suspects { get; init; } = [];

    /// <summary>Null where the threads could not be read.</summary>
    public IReadOnlyList<ThreadPart>? Threads { get; init; }

    /// <summary>The async methods that are suspended, coalesced; null where they were not looked for.</summary>
    public IReadOnlyList<FlowPart>? Flows { get; init; }

    public FlowCountsPart? FlowCounts { get; init; }

    /// <summary>The requests over HTTP that are under way, coalesced; null where there are none, and where they were not read.</summary>
    public IReadOnlyList<RequestPart>? Requests { get; init; }

    /// <summary>The tests that had started and had not ended, where the process is a test host; null where none is seen.</summary>
    public IReadOnlyList<TestPart>? Tests { get; init; }

    public required IReadOnlyList<GapPart> Gaps { get; init; }

    /// <summary>What the trace says of the process; written as null where none was given or joined.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public TracePart? Trace { get; init; }

    /// <summary>The captures that were compared, the earliest first; empty where the target was the only one.</summary>
    public IReadOnlyList<CapturePart> Captures { get; init; } = [];

    public required IReadOnlyDictionary<string, double> Timings { get; init; }
}

internal sealed record ToolPart(string Version);

internal sealed record TestPart(string Name, SourcePart? Source);

internal sealed record RulePart(string Rule, string Name, string Outcome, string? Why, IReadOnlyList<GapPart> Gaps);
