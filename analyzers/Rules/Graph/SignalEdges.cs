using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>
/// The edges of threads that wait for a signal which only threads that wait for locks, or for an answer from outside, could still give.
/// Signals that are in the hands of those who wait for signals themselves are told of as lost ones.
/// </summary>
internal static class SignalEdges
{
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
    {
        if (snapshot.Managed is not { } section || !section.TryGet(out ManagedFacts? managed) || !managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits))
        {
            yield break;
        }

        // Who waits for finalizers has as a rule only made the objects, and is not the one to signal what these wait for.
        HashSet<ThreadId> behindLocks = [.. waits.Where(wait => wait is { Kind: WaitKind.Acquire, Lock.Kind: not LockKind.Finalizers }).Select(wait => wait.Thread)];
        // Nor is who waits for the same.
        ILookup<LockId, ThreadId> waiting = waits.Where(wait => wait.Kind is WaitKind.Signal or WaitKind.Pulse)
            .ToLookup(wait => wait.Lock, wait => wait.Thread);
        foreach (WaitFacts wait in waits)
        {
            if (wait is not { Kind: WaitKind.Signal or WaitKind.Pulse, Mode: null, Reach: { By: null or FlowRoot.InputOutput } reach })
            {
                continue;
            }

            Trust trust = reach.IsInStatic ? Trust.Scanned : Trust.Derived;
            // Where one of them gets his answer, he gives the signal, whatever the others wait for.
            ThreadId[] hands =
            [
                .. reach.Holders.Select(holder => holder.Thread).OfType<ThreadId>()
                    .Where(thread => !waiting[wait.Lock].Contains(thread))
                    .Where(thread => reach.By is null ? behindLocks.Contains(thread) : thread == reach.Thread),
            ];
            if (hands.Length > 0)
            {
                yield return new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.Of(wait.Lock), EdgeKind.WaitsFor, wait.Trust, wait.Source) { Timeout = wait.Timeout };
            }

            foreach (ThreadId thread in hands)
            {
                yield return new WaitEdge(WaitNode.Of(wait.Lock), WaitNode.Of(thread), EdgeKind.CompletedBy, trust, "heap search: only threads that wait lead to it");
            }
        }
    }
}
