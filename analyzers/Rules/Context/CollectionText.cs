using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The words for an object whose collection is waited for, and for what keeps it.</summary>
internal static class CollectionText
{
    private const int MostOfPath = 6;

    /// <summary>The wait of a thread for the collection of an object whose keeper is known; null for others.</summary>
    public static CollectionWaitFacts? WaitOf(RuleContext context, ThreadId thread)
        => context.Managed?.CollectionWaits is { } known && known.TryGet(out IReadOnlyList<CollectionWaitFacts>? waits)
            ? waits.FirstOrDefault(wait => wait.Thread == thread && wait.Keeper.HasValue)
            : null;

    /// <summary>As "PluginContext is unloaded".</summary>
    public static Claim Until(CollectionWaitFacts wait) => $"{MethodText.Type(wait.Type)} is {(wait.IsUnload ? "unloaded" : "collected")}";

    /// <summary>As "the static field Host.s_plugins keeps it".</summary>
    public static Claim Keeper(RuleContext context, CollectionWaitFacts wait, KeeperFacts keeper) => keeper switch
    {
        { By: FlowRoot.Static, Name: { } name } => (Claim)$"the static field {MethodText.Short(name)} keeps it",
        { By: FlowRoot.Static } => "a static field keeps it",
        { By: FlowRoot.GcHandle } => "a GCHandle keeps it",
        { By: FlowRoot.Thread } when keeper.Thread == wait.Thread => "a variable of its own stack keeps it",
        { By: FlowRoot.Thread, Thread: { } thread, Name: { } method } => $"{Parties.Label(context, thread)} keeps it: it is in {MethodText.Short(method)}",
        { By: FlowRoot.Thread, Thread: { } thread } => $"the stack of {Parties.Label(context, thread)} keeps it",
        _ => "something keeps it",
    };

    /// <summary>As "List&lt;object&gt;._items -> Report"; from what keeps it to the object.</summary>
    public static Claim Path(KeeperFacts keeper)
        => $"the way to it: {string.Join(" -> ", keeper.Path.Take(MostOfPath).Select(MethodText.Short))}{(keeper.Path.Count > MostOfPath ? " -> ..." : string.Empty)}";
}
