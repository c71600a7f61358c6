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
        _awaiting = flows.Boxes.All.Where(box => box is { State: >= 0, Awaited: not 0 }).ToLookup(box => box.Awaited, box => box.Address);
    }

    /// <summary>
    /// One member of each circle: the address of its box. Nothing that runs leads to one, so it is looked for among all that have begun.
    /// </summary>
    /// <param name="flows">The async methods; null where they are not known.</param>
    /// <param name="heap">The heap.</param>
    public static IReadOnlyList<ulong> Of(FlowInventory? flows, ClrHeap heap)
    {
        if (flows is null)
        {
            return [];
        }

        FlowCircles circles = new(flows, heap);
        foreach (FlowBox start in flows.Boxes.All.Where(box => box.State >= 0))
        {
            circles.Follow(start.Address);
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
    private IEnumerable<ulong> Behind(ulong address)
        => _flows.Boxes.Find(address) is not { } box ? []
            : _awaiting[address]
                .Concat(box.Machine == 0 ? [] : _awaiting[box.Machine])
                .Concat(box.Continuation == 0 || _flows.Boxes.Find(box.Continuation) is not null ? [] : BehindPromises(address));

    private IEnumerable<ulong> BehindPromises(ulong task, int steps = MostPromises)
        => steps == 0 ? []
            : Continuation.Of(_heap.GetObject(task)).Select(next => next.Target).Where(NeedsIt).Select(promise => promise.Address)
                .SelectMany(promise => _awaiting[promise].Concat(BehindPromises(promise, steps - 1)));

    private static bool NeedsIt(ClrObject promise) => TaskObject.Kind(promise) is TaskKind.WhenAll or TaskKind.Unwrap;
}
