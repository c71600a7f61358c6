using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Who awaits a flow, who awaits that one, and so on up.</summary>
internal sealed class FlowChains
{
    private const int MostMethods = 16;
    private const int MostSteps = 200_000;
    private const int MostStepsOfAll = 1_000_000;
    private const int MostPromises = 8;

    private readonly FlowBoxes _boxes;
    private readonly ClrHeap _heap;
    private readonly Dictionary<ulong, int> _awaiting;
    private int _left = MostStepsOfAll;

    public FlowChains(FlowBoxes boxes, ClrHeap heap)
    {
        _boxes = boxes;
        _heap = heap;
        _awaiting = new Dictionary<ulong, int>(boxes.All.Count);
        for (int index = 0; index < boxes.All.Count; index++)
        {
            if (boxes.All[index] is { State: >= 0, Awaited: not 0 and ulong awaited })
            {
                _awaiting.TryAdd(awaited, index);
            }
        }
    }

    /// <summary>The flows from the next one to the outermost, each that stands for a row of the same method but once.</summary>
    /// <param name="box">Where to begin.</param>
    /// <param name="isCut">There are more.</param>
    public IReadOnlyList<FlowBox> Of(FlowBox box, out bool isCut)
    {
        List<FlowBox> chain = [];
        FlowMethod? last = null;
        int steps = 0;
        isCut = false;
        for (FlowBox? next = Next(box); next is { } found; next = Next(found))
        {
            if (++steps > MostSteps || --_left < 0 || (found.Method != last && chain.Count == MostMethods))
            {
                isCut = true;
                break;
            }

            if (found.Method != last)
            {
                chain.Add(found);
                last = found.Method;
            }
        }

        return chain;
    }

    /// <summary>Everyone who awaits it, from the next one up; without end in a circle.</summary>
    public IEnumerable<FlowBox> Above(ulong box)
    {
        for (FlowBox? next = _boxes.Find(box) is { } start ? Next(start) : null; next is { } found; next = Next(found))
        {
            yield return found;
        }
    }

    private FlowBox? Next(FlowBox box)
    {
        if (Awaiting(box.Address) is { } direct)
        {
            return direct;
        }

        if (box.Machine != 0 && Awaiting(box.Machine) is { } consumer)
        {
            return consumer;
        }

        // Through promises: WhenAll, WaitAsync, Task.Run.
        ulong promise = box.Continuation == 0 ? 0 : box.Address;
        for (int step = 0; promise != 0 && step < MostPromises; step++)
        {
            promise = Continuation.Of(_heap.GetObject(promise)).FirstOrDefault().Target.Address;
            if (Awaiting(promise) is { } behind)
            {
                return behind;
            }
        }

        return null;
    }

    private FlowBox? Awaiting(ulong awaited) => awaited != 0 && _awaiting.TryGetValue(awaited, out int index) ? _boxes.All[index] : null;
}
