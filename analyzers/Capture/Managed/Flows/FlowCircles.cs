using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Async methods that await each other in a circle, as those of a cache do that asks itself for what it is just making; also where one
/// awaits Task.WhenAll of several and so waits for each.
/// </summary>
internal sealed class FlowCircles
{
    private const int Most = 32;
    private const int MostPromises = 8;

    private readonly FlowInventory _flows;
    private readonly ClrHeap _heap;
    private readonly ILookup<ulong, ulong> _awaiting;
    private readonly Dictionary<ulong, bool> _isOnWay = [];
    private readonly List<ulong> _found = [];

    private FlowCircles(FlowInventory flows, ClrHeap heap)
    {
        _flows = flows;
        _heap = heap;
        _awaiting = flows.Groups.SelectMany(group => group.Boxes)
            .Select(box => (Box: box, flows.Boxes.Find(box)?.Awaited))
            .Where(pair => pair.Awaited is not (null or 0))
            .ToLookup(pair => pair.Awaited!.Value, pair => pair.Box);
    }

    /// <summary>One member of each circle that something keeps alive: the address of its box.</summary>
    /// <param name="flows">The async methods; null where they are not known.</param>
    /// <param name="heap">The heap.</param>
    public static IReadOnlyList<ulong> Of(FlowInventory? flows, ClrHeap heap)
    {
        if (flows is null)
        {
            return [];
        }

        FlowCircles circles = new(flows, heap);
        foreach (ulong start in flows.Groups.SelectMany(group => group.Boxes))
        {
            circles.Follow(start);
        }

        return circles._found;
    }

    // Depth first; whoever is on the way still and is come to again closes a circle.
    private void Follow(ulong start)
    {
        if (!_isOnWay.TryAdd(start, true))
        {
            return;
        }

        Stack<(ulong Box, IEnumerator<ulong> Behind)> way = new();
        way.Push((start, Behind(start).GetEnumerator()));
        while (_found.Count < Most && way.TryPeek(out (ulong Box, IEnumerator<ulong> Behind) at))
        {
            if (!at.Behind.MoveNext())
            {
                _isOnWay[at.Box] = false;
                way.Pop();
            }
            else if (_isOnWay.TryAdd(at.Behind.Current, true))
            {
                way.Push((at.Behind.Current, Behind(at.Behind.Current).GetEnumerator()));
            }
            else if (_isOnWay[at.Behind.Current])
            {
                _found.Add(at.Behind.Current);
            }
        }
    }

    // Who awaits the method, itself or a promise that needs it.
    private IEnumerable<ulong> Behind(ulong box)
        => [.. _awaiting[box], .. _flows.Boxes.Find(box) is { Machine: not 0 and var machine } ? _awaiting[machine] : [], .. BehindPromises(box)];

    private IEnumerable<ulong> BehindPromises(ulong task, int steps = MostPromises)
        => steps == 0 ? []
            : Continuation.Of(_heap.GetObject(task)).Select(next => next.Target).Where(NeedsIt).Select(promise => promise.Address)
                .SelectMany(promise => _awaiting[promise].Concat(BehindPromises(promise, steps - 1)));

    private static bool NeedsIt(ClrObject promise) => TaskObject.Kind(promise) is TaskKind.WhenAll or TaskKind.Unwrap;
}
