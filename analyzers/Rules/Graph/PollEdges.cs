using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>The edges of threads that wait in a loop, and those whose timeouts only lead to the next try.</summary>
internal static class PollEdges
{
    private const string Source = "instructions of the loop";

    /// <summary>
    /// From each thread whose loop nothing but other threads can end to these; any of them ends it. None from one that may find at its next look
    /// what it looks for: two that take turns each wait for the other, and never both at once.
    /// </summary>
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
    {
        PollBringerThreads threads = new(snapshot);
        foreach (PollFacts poll in PollsOf(snapshot))
        {
            if (poll.Thread is { } waiter && !poll.MayHaveCome && poll.EndsByConditionAlone() && poll.Bringers is { } known
                && known.TryGet(out PollBringers? bringers) && bringers is { IsByFlow: false, IsByDelegate: false, IsByCallback: false })
            {
                IReadOnlyList<ThreadId> left = threads.Of(poll);
                foreach (ThreadId bringer in left)
                {
                    yield return new WaitEdge(WaitNode.Of(waiter), WaitNode.Of(bringer), EdgeKind.WaitsForChange, Trust.Derived, Source)
                    {
                        Alternatives = left.Count,
                        LastsByDesign = poll.IsMeantToLast(),
                    };
                }
            }
        }
    }

    /// <summary>The threads that try again and again for one thing: that a try gives up ends nothing.</summary>
    public static HashSet<ThreadId> Retrying(ProcessSnapshot snapshot)
        => [.. PollsOf(snapshot).Where(poll => poll.EndsByConditionAlone()).Select(poll => poll.Thread).OfType<ThreadId>()];

    /// <summary>The edge of such a thread.</summary>
    public static WaitEdge Again(WaitEdge edge)
        => edge with { Timeout = Known.Derived(Timeout.InfiniteTimeSpan), HasSomeTimeout = false, Trust = edge.Trust == Trust.Read ? Trust.Derived : edge.Trust, Source = $"{edge.Source}; {Source}, which tries again" };

    private static IReadOnlyList<PollFacts> PollsOf(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed) && managed.Polls is { } known && known.TryGet(out IReadOnlyList<PollFacts>? polls) ? polls : [];
}
