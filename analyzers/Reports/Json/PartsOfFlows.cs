using HangTriage.Facts;

namespace HangTriage.Reports.Json;

/// <summary>Turns the inventory of suspended async methods into parts of the JSON report.</summary>
internal static class PartsOfFlows
{
    /// <summary>Null where they were not looked for.</summary>
    public static IReadOnlyList<FlowPart>? Of(ProcessSnapshot snapshot)
        => ShownFlows.FactsOf(snapshot) is { } facts ? [.. facts.Groups.Select(Of)] : null;

    /// <summary>Null where they were not looked for.</summary>
    public static FlowCountsPart? CountsOf(ProcessSnapshot snapshot)
        => ShownFlows.FactsOf(snapshot) is { } facts ? new FlowCountsPart(facts.Suspended, facts.Omitted, facts.Unreachable, facts.Unreadable) : null;

    private static FlowPart Of(FlowGroup group) => new()
    {
        Method = group.Method,
        Await = group.Await,
        Source = group.Source is { } source ? new SourcePart(source.File, source.Line) : null,
        Count = group.Count,
        State = JsonNames.Of(group.State),
        WaitsFor = Of(group.Waits),
        Since = PartsOfJudgement.Of(group.Since),
        Youngest = PartsOfJudgement.Of(group.Youngest),
        AwaitedBy = group.AwaitedBy,
        IsChainCut = group.IsChainCut,
        Root = JsonNames.Of(group.Root),
        RootThread = group.RootThread?.ToString(),
        Sample = group.Sample.ToString(),
    };

    private static FlowWaitPart Of(FlowWait wait) => new()
    {
        Kind = JsonNames.Of(wait.Kind),
        Label = wait.Label,
        KeptIn = wait.KeptIn,
        Address = wait.Address?.ToString(),
        Type = wait.Type,
        Objects = wait.Objects,
        Via = wait.Via,
        Entries = wait.Entries is { } entries ? new FlowEntriesPart(entries.Left, entries.Most) : null,
        Queue = wait.Queue is { } queue ? new FlowQueuePart(JsonNames.Of(queue.Waits), queue.Used, queue.Capacity, queue.IsClosed) : null,
        EndsByTimer = wait.EndsByTimer,
        SetFor = wait.SetFor?.TotalMilliseconds,
        EndsByToken = wait.EndsByToken,
        IsTokenLost = wait.IsTokenLost,
    };
}
