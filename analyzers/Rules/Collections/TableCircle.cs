using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Collections;

/// <summary>Whom a circle in a hash table's links keeps.</summary>
internal static class TableCircle
{
    /// <summary>
    /// The threads that are inside, or told of it by the exception and at it again, or caught where nothing tells that they
    /// are not; and those inside that wait for one of them, or to be given a lock, as the one that guards the exception's text.
    /// </summary>
    public static CollectionUse[] ThreadsIn(RuleContext context, CollectionsFacts collections, CollectionFacts table)
    {
        if (!table.Faults.Any(fault => fault.Kind == CollectionFaultKind.ChainCycle))
        {
            return [];
        }

        CollectionUse[] running = [.. table.Uses.Where(use => !use.IsBlocked
            && (use.IsInside || use.HasConcurrentUseError || collections.ConcurrentUseErrors >= Thresholds.ConcurrentUseErrors || HasNoFrames(context, use)))];
        if (running.Length == 0)
        {
            return [];
        }

        HashSet<ThreadId> behind = [.. Behind(context, running).Select(node => node.Thread).OfType<ThreadId>()];
        return
        [
            .. running,
            .. table.Uses.Where(use => use is { IsBlocked: true, IsInside: true } && (behind.Contains(use.Thread) || IsNextOwner(context, use.Thread))),
        ];
    }

    /// <summary>Whoever waits for one of the threads, directly or behind others.</summary>
    public static IEnumerable<WaitNode> Behind(RuleContext context, CollectionUse[] stuck)
        => stuck.SelectMany(use => context.Graph.ThreadsBehind(WaitNode.Of(use.Thread))).Distinct();

    /// <summary>In the runtime's own code, where its stack walker finds no managed frame.</summary>
    public static bool HasNoFrames(RuleContext context, CollectionUse use)
        => context.Find(use.Thread)?.Thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed) == false;

    // It waits for a lock that nobody holds at this moment, or that is passing from one thread to the next.
    private static bool IsNextOwner(RuleContext context, ThreadId thread)
        => context.Graph.ChainFrom(WaitNode.Of(thread)) is [.., { To.Lock: { } last }] && context.Find(last) is { } @lock && !@lock.IsHeld.Is(held => held);
}
