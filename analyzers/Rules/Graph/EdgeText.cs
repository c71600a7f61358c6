namespace HangTriage.Rules.Graph;

/// <summary>The words for edges, as they stand between two nodes of a chain.</summary>
internal static class EdgeText
{
    public static string Of(EdgeKind kind) => kind switch
    {
        EdgeKind.WaitsFor => "waits for",
        EdgeKind.HeldBy => "is held by",
        EdgeKind.RunBy => "is run by",
        EdgeKind.HeldUpBy => "is held up by",
        EdgeKind.ReadHeldBy => "is held for reading by",
        EdgeKind.WaitsForEnd => "waits for the end of",
        EdgeKind.WaitsForLoadOwner => "waits for the load owner, through",
        EdgeKind.WaitsForWork => "waits for the work of",
        EdgeKind.WaitsForChange => "waits for a change that only comes from",
        EdgeKind.WaitsForRoom => "waits for room in a queue that is emptied by",
        EdgeKind.WaitsForTransaction => "waits for a database in which a transaction is open, of",
        EdgeKind.RunsOn => "runs on",
        EdgeKind.CompletedBy => "is in the hands of",
        EdgeKind.NeedsContext => "has to continue in the context of",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "an edge without words"),
    };
}
