using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What is told when the outermost of async methods that await each other has ended.</summary>
internal sealed class FlowEnds(ClrHeap heap, FlowBoxes boxes)
{
    private const int MostHops = 64;
    private const string Continuation = "m_continuationObject";

    // Task.Run of an async method hands its end on.
    private const string Unwrap = "UnwrapPromise";

    /// <summary>The type of what continues behind it; null where nothing does.</summary>
    /// <param name="box">Of the innermost.</param>
    public string? EndOf(ulong box)
    {
        ulong next = boxes.Find(box)?.Continuation ?? 0;
        for (int hop = 0; hop < MostHops && next != 0; hop++)
        {
            ClrObject found = heap.GetObject(next);
            if (boxes.Find(next) is { } outer)
            {
                next = outer.Continuation;
            }
            else if (found.Type?.Name?.Contains(Unwrap, StringComparison.Ordinal) == true)
            {
                next = found.Reference(Continuation).Address;
            }
            else
            {
                return found.Type?.Name ?? "unknown";
            }
        }

        return null;
    }
}
