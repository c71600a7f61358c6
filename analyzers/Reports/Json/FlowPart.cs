namespace HangTriage.Reports.Json;

internal sealed record FlowPart
{
    public required string Method { get; init; }

    /// <summary>From 0 on, in the order of the source.</summary>
    public required int Await { get; init; }

    public SourcePart? Source { get; init; }

    public required int Count { get; init; }

    public required string State { get; init; }

    public required FlowWaitPart WaitsFor { get; init; }

    /// <summary>Of the one that has waited longest.</summary>
    public AgePart? Since { get; init; }

    /// <summary>Of the one that has waited shortest; absent for a single one.</summary>
    public AgePart? Youngest { get; init; }

    public required IReadOnlyList<string> AwaitedBy { get; init; }

    public required bool IsChainCut { get; init; }

    public required string Root { get; init; }

    public string? RootThread { get; init; }

    public required string Sample { get; init; }
}

internal sealed record FlowWaitPart
{
    public required string Kind { get; init; }

    public string? Label { get; init; }

    /// <summary>The field in which the program keeps a task that has none of its own; null where none is known.</summary>
    public string? KeptIn { get; init; }

    public string? Address { get; init; }

    public string? Type { get; init; }

    public required int Objects { get; init; }

    public string? Via { get; init; }

    public FlowEntriesPart? Entries { get; init; }

    public FlowQueuePart? Queue { get; init; }

    public required bool EndsByTimer { get; init; }

    /// <summary>Milliseconds.</summary>
    public double? SetFor { get; init; }

    public required bool EndsByToken { get; init; }

    public required bool IsTokenLost { get; init; }
}

internal sealed record FlowEntriesPart(uint Left, uint Most);

internal sealed record FlowQueuePart(string Waits, long? Used, long? Capacity, bool? IsClosed);

internal sealed record FlowCountsPart(int Suspended, int Omitted, int Unreachable, int Unreadable);
