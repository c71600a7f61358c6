using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// The tasks that wake sleeping threads, found backwards: a task's continuation, or the list of them, leads to the event. Looked up for
/// all threads at once, and only for those whose own stack does not hold their tasks.
/// </summary>
internal sealed class BlockedTasks(ClrRuntime runtime, RuntimeRoots roots, CaptureContext context)
{
    // Event, array of a list, list, task.
    private const int Rounds = 3;

    /// <summary>The tasks of each event, by its address.</summary>
    public ILookup<ulong, ClrObject> Of(IReadOnlyCollection<ClrObject> events)
    {
        List<(ulong Event, ClrObject Task)> found = [];
        // What leads to an event, and to which.
        ILookup<ulong, ulong> front = events.Select(own => own.Address).Distinct().ToLookup(address => address);
        ReferrerScan scan = new(runtime, roots.Pointers, roots.Referrers, context);
        for (int round = 0; round < Rounds && front.Count > 0; round++)
        {
            context.Step();
            context.Progress?.Report($"tasks that {events.Count} threads wait for: heap search {round + 1}");
            List<(ulong Address, ulong Event)> next = [];
            foreach ((ClrObject referrer, ulong target) in scan.Find([.. front.Select(group => group.Key)]))
            {
                foreach (ulong own in front[target])
                {
                    if (TaskObject.IsTask(referrer))
                    {
                        if (Continuation.Entries(referrer).Any(entry => entry.Address == own))
                        {
                            found.Add((own, referrer));
                        }
                    }
                    else if (referrer.IsArray || (referrer.Has("_items") && referrer.Has("_size")))
                    {
                        next.Add((referrer.Address, own));
                    }
                }
            }

            front = next.Distinct().ToLookup(pair => pair.Address, pair => pair.Event);
        }

        return found.Distinct().ToLookup(pair => pair.Event, pair => pair.Task);
    }
}
