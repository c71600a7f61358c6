using HangTriage.Capture.Managed.Fields;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Finds async methods that have taken a semaphore each and wait, in methods that they call, for one that another of them has: as two
/// values of a cache with a lock for each key do, each of which is made of the other.
/// </summary>
internal sealed class SemaphoreCircles
{
    private const int MostSemaphores = 256;
    private const int MostWaiting = 64;
    private const int MostSteps = 256;
    private const int MostStepsOfAll = 100_000;

    private readonly ClrHeap _heap;
    private readonly FlowBoxes _boxes;
    private readonly FlowChains _chains;
    private readonly AwaitedResolver _resolver;
    private readonly Lazy<ILookup<ulong, (FlowTaker Taker, ulong WaitsFor)>> _takers;
    private int _left = MostStepsOfAll;

    /// <param name="heap">The heap.</param>
    /// <param name="boxes">The async methods.</param>
    /// <param name="chains">Who awaits whom.</param>
    /// <param name="resolver">Says what they wait for.</param>
    /// <param name="groups">Those that are suspended.</param>
    public SemaphoreCircles(
        ClrHeap heap, FlowBoxes boxes, FlowChains chains, AwaitedResolver resolver, IReadOnlyList<FlowGrouping> groups)
    {
        _heap = heap;
        _boxes = boxes;
        _chains = chains;
        _resolver = resolver;
        _takers = new(() => Takers([.. groups.Where(group => group.Awaited.Kind == FlowWaitKind.Semaphore)])
            .ToLookup(pair => pair.Taken, pair => (pair.Taker, pair.WaitsFor)));
    }

    /// <summary>Who has taken it, and waits, over others of the circle, for the same; null where nobody does.</summary>
    /// <param name="semaphore">Of one entry, which is taken.</param>
    public FlowTaker? Of(ulong semaphore)
    {
        HashSet<ulong> seen = [];
        Queue<(ulong Semaphore, FlowTaker? First)> open = new([(semaphore, null)]);
        while (open.TryDequeue(out (ulong Semaphore, FlowTaker? First) at))
        {
            foreach ((FlowTaker taker, ulong next) in _takers.Value[at.Semaphore])
            {
                FlowTaker first = at.First ?? taker;
                if (next == semaphore)
                {
                    return first with { IsInCircle = true };
                }

                if (seen.Add(next))
                {
                    open.Enqueue((next, first));
                }
            }
        }

        return null;
    }

    private IEnumerable<(ulong Taken, FlowTaker Taker, ulong WaitsFor)> Takers(FlowGrouping[] waiting)
    {
        HashSet<ulong> wanted =
            [.. waiting.SelectMany(group => group.AwaitedObjects).Where(found => found != 0).Distinct().Take(MostSemaphores)];
        return wanted.Count < 2 ? []
            : waiting.SelectMany(group => group.Boxes.Take(MostWaiting)).Select(_boxes.Find).OfType<FlowBox>()
                .SelectMany(box => Above(box, wanted));
    }

    // Who hands the semaphore on to the method that it awaits may not have entered it.
    private IEnumerable<(ulong Taken, FlowTaker Taker, ulong WaitsFor)> Above(FlowBox waiting, HashSet<ulong> wanted)
    {
        ulong target = _resolver.Of(waiting.Awaited).Address;
        FlowBox below = waiting;
        foreach (FlowBox above in _chains.Above(waiting.Address).Take(MostSteps))
        {
            if (--_left < 0)
            {
                yield break;
            }

            foreach ((ulong taken, string name) in FlowVariables.Of(_heap, above)
                .Where(variable => above.State > 0 && variable.Address != target && wanted.Contains(variable.Address)))
            {
                if (SemaphoreTakers.VariableOf(_heap, below, taken) is null)
                {
                    yield return (taken, new FlowTaker(new Address(above.Address), above.Method!.Name, FieldNames.Plain(name)), target);
                }
            }

            below = above;
        }
    }
}
