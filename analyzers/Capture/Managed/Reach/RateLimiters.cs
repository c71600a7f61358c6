using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Limiters that give permits by a timer of their own: who is in the queue of one has his turn in time.</summary>
/// <remarks>
/// System.Threading.RateLimiting 8 to 10: TokenBucketRateLimiter, FixedWindowRateLimiter and SlidingWindowRateLimiter have _renewTimer
/// where they replenish themselves, and their queues are completed by nothing else. The queue of a ConcurrencyLimiter is completed by those
/// that dispose of a ConcurrencyLease of it, and where the limiter is disposed of.
/// </remarks>
internal static class RateLimiters
{
    /// <summary>The limiter of how many work at once.</summary>
    public const string Counting = Library + "ConcurrencyLimiter";

    /// <summary>The type inside it of what its permits are given back by.</summary>
    public const string Lease = "+ConcurrencyLease";

    private const string Library = "System.Threading.RateLimiting.";
    private const int MostSteps = 5;

    /// <summary>What is waited for is in the queue of such a limiter.</summary>
    public static bool Gives(ReachGraph graph, ClrHeap heap, int node) => Gives(graph, heap, node, MostSteps);

    private static bool Gives(ReachGraph graph, ClrHeap heap, int node, int steps)
        => steps > 0 && graph.LeadingTo(node).Any(from => heap.GetObject(graph.AddressOf(from)) is { Type.Name: { } name } found
            && (found.Type!.IsArray || name.Contains(Library, StringComparison.Ordinal))
            && (!found.Reference("_renewTimer").IsNull || Gives(graph, heap, from, steps - 1)));
}
