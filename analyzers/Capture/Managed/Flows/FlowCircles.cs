using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Async methods that await each other in a circle, as those of a cache do that asks itself for what it is just making; also where one
/// awaits Task.WhenAll of several and so waits for each.
/// </summary>
internal static class FlowCircles
{
    private const int Most = 32;
    private const int MostPromises = 8;

    /// <summary>One member of each circle that something keeps alive: the address of its box.</summary>
    /// <param name="flows">The async methods; null where they are not known.</param>
    /// <param name="heap">The heap.</param>
    public static IReadOnlyList<ulong> Of(FlowInventory? flows, ClrHeap heap)
    {
        if (flows is null)
        {
            return [];
        }

        ILookup<ulong, ulong> awaiting = flows.Groups.SelectMany(group => group.Boxes)
            .Select(box => (Box: box, flows.Boxes.Find(box)?.Awaited))
            .Where(pair => pair.Awaited is not (null or 0))
            .ToLookup(pair => pair.Awaited!.Value, pair => pair.Box);
        List<ulong> found = [];
        Dictionary<ulong, int> seen = [];
        int round = 0;
        foreach (ulong start in flows.Groups.SelectMany(group => group.Boxes))
        {
            round++;
            ulong at = start;
            while (found.Count < Most && at != 0 && seen.TryAdd(at, round))
            {
                at = Behind(flows.Boxes, heap, awaiting, at);
            }

            if (found.Count < Most && seen.TryGetValue(at, out int when) && when == round)
            {
                found.Add(at);
            }
        }

        return found;
    }

    // Who awaits the method, itself or a promise that needs it; 0 for nobody.
    private static ulong Behind(FlowBoxes boxes, ClrHeap heap, ILookup<ulong, ulong> awaiting, ulong box)
    {
        ulong behind = awaiting[box].FirstOrDefault();
        if (behind == 0 && boxes.Find(box) is { Machine: not 0 and var machine })
        {
            behind = awaiting[machine].FirstOrDefault();
        }

        ulong promise = box;
        for (int step = 0; behind == 0 && promise != 0 && step < MostPromises; step++)
        {
            promise = Continuation.Of(heap.GetObject(promise)).Select(next => next.Target).FirstOrDefault(NeedsIt).Address;
            behind = promise == 0 ? 0 : awaiting[promise].FirstOrDefault();
        }

        return behind;
    }

    private static bool NeedsIt(ClrObject promise) => TaskObject.Kind(promise) is TaskKind.WhenAll or TaskKind.Unwrap;
}
