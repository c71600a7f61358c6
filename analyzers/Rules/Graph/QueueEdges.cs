using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>
/// The edges of threads that wait for room in a bounded queue: to the threads that take items from it and are busy with one.
/// </summary>
internal static class QueueEdges
{
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
    {
        if (snapshot.Managed is not { } section || !section.TryGet(out ManagedFacts? managed)
            || managed.QueueReaders is not { } known || !known.TryGet(out IReadOnlyList<QueueReaderFacts>? readers)
            || !managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits))
        {
            yield break;
        }

        ILookup<Address, ThreadId> byQueue = readers.Where(reader => reader.Thread is not null).ToLookup(reader => reader.Queue, reader => reader.Thread!.Value);
        foreach (WaitFacts wait in waits.Where(wait => wait.Lock.Kind == LockKind.SemaphoreSlim))
        {
            ThreadId[] threads = [.. byQueue[wait.Lock.Address]];
            foreach (ThreadId reader in threads)
            {
                yield return new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.Of(reader), EdgeKind.WaitsForRoom, Trust.Derived, "objects on the reader's stack")
                {
                    Timeout = wait.Timeout,
                    Alternatives = threads.Length,
                };
            }
        }
    }
}
