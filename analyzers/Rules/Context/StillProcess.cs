using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Context;

/// <summary>
/// Whether nothing that still moves in the process can end a wait: all of it only looks, counts and prints, and what comes over a network
/// comes from the process itself. A person who ends the process does not count.
/// </summary>
internal sealed class StillProcess(RuleContext context)
{
    /// <summary>What was seen to move, and only looks; null where something may end a wait, or that is not known.</summary>
    public IReadOnlyList<MoverFacts>? Observers { get; } = Find(context);

    private static IReadOnlyList<MoverFacts>? Find(RuleContext context)
        => context.Managed?.Movers is { } known && known.TryGet(out IReadOnlyList<MoverFacts>? movers)
            && !movers.Any(mover => mover.Acts)
            && context.Children.Count == 0
            && !context.Polls.All.Any(poll => poll.MayHaveCome)
            && IsClosed(context)
                ? movers
                : null;

    // Where the process serves, only itself is seen to ask.
    private static bool IsClosed(RuleContext context)
    {
        SocketFacts?[] sockets =
        [
            .. context.Flows.Groups
                .Where(group => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.InputOutput })
                .Select(group => group.Waits.Socket),
            .. OfThreads(context),
        ];
        bool asksItself = sockets.Any(context.Flows.Server.IsPeerOf);
        bool serves = context.Managed?.Listens?.Count > 0 || sockets.Any(socket => socket is { IsListening: true });
        return (!serves || asksItself)
            && sockets.All(socket
                => socket is not null && (socket.IsListening || socket.IsAccepted || context.Flows.Server.IsPeerOf(socket)));
    }

    private static IEnumerable<SocketFacts?> OfThreads(RuleContext context)
        => (context.Managed?.Outside is { } known && known.TryGet(out IReadOnlyList<OutsideWaitFacts>? waits) ? waits : [])
            .Where(wait => OutsideCalls.Find(wait.Call)?.Outside != OutsideEnd.Person)
            .Select(wait => wait.FindSocket());
}
