using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>
/// What waits for a worker of the thread pool: the global queues of ThreadPool.s_workQueue and the workers' own ones. No
/// heap is walked.
/// </summary>
internal static class QueuedObjects
{
    private static readonly string[] s_queues = ["highPriorityWorkItems", "workItems", "lowPriorityWorkItems"];

    public static IEnumerable<ClrObject> Items(ClrRuntime runtime, CaptureContext context)
        => Queues(runtime, context).Concat(WorkStealing(runtime, context)).Take(context.Limits.Tasks);

    private static IEnumerable<ClrObject> Queues(ClrRuntime runtime, CaptureContext context)
    {
        foreach (ClrObject queue in Statics(runtime, "System.Threading.ThreadPool", "s_workQueue"))
        {
            IEnumerable<ClrObject> all = s_queues
                .Select(name => queue.Reference(name))
                .Concat(queue.Reference("_assignableWorkItemQueues").Elements(context.Limits.Threads));
            foreach (ClrObject item in all.SelectMany(items => ItemsOf(items, context)))
            {
                yield return item;
            }
        }
    }

    /// <summary>ConcurrentQueue: segments of slots; an item that was taken leaves its slot empty.</summary>
    private static IEnumerable<ClrObject> ItemsOf(ClrObject queue, CaptureContext context)
    {
        int segments = 0;
        for (ClrObject segment = queue.Reference("_head"); !segment.IsNull && segments++ < context.Limits.Tasks; segment = segment.Reference("_nextSegment"))
        {
            context.Step();
            foreach (ClrObject item in segment.Reference("_slots") is { IsNull: false } slots ? slots.EnumerateReferences().Where(item => !item.IsNull) : [])
            {
                yield return item;
            }
        }
    }

    private static IEnumerable<ClrObject> WorkStealing(ClrRuntime runtime, CaptureContext context)
        => Statics(runtime, "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList", "s_queues", "_queues")
            .SelectMany(queues => queues.Elements(context.Limits.Threads))
            .SelectMany(queue => queue.Reference("m_array").Elements(context.Limits.Tasks));

    private static IEnumerable<ClrObject> Statics(ClrRuntime runtime, string type, params string[] names)
    {
        ClrStaticField? field = runtime.BaseClassLibrary?.GetTypeByName(type)?.StaticFields.FirstOrDefault(found => names.Contains(found.Name));
        return field is null ? [] : runtime.AppDomains.Select(field.ReadObject).Where(value => !value.IsNull);
    }
}
