using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
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
    private const int MostSteps = 5;

    /// <summary>What is waited for is in the queue of such a limiter.</summary>
    public static bool Gives(ReachGraph graph, ClrHeap heap, int node) => Gives(graph, heap, node, MostSteps);

    /// <summary>The one has the other, a limiter of how many work at once, and no permit of it to give back.</summary>
    public static bool IsIdle(ClrObject holder, ClrObject limiter) => limiter.Type?.Name == ResourceCalls.Limiter && holder.Type?.Name != PermitVisitor.Lease;

    private static bool Gives(ReachGraph graph, ClrHeap heap, int node, int steps)
        => steps > 0 && graph.LeadingTo(node).Any(from => heap.GetObject(graph.AddressOf(from)) is { Type.Name: { } name } found
            && (found.Type!.IsArray || name.Contains(ResourceCalls.Limiting, StringComparison.Ordinal))
            && (!found.Reference("_renewTimer").IsNull || Gives(graph, heap, from, steps - 1)));
}
