using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>
/// How many work items each worker has completed: its own node of the pool's counter (ThreadInt64PersistentCounter), to which
/// the worker adds one after each item. A worker whose count has not changed since an earlier look is in the same item.
/// </summary>
internal static class CompletedItems
{
    // The same node from two sides. Fields of 8.0.31, 9.0.20 and 10.0.12.
    private const string Pool = "System.Threading.PortableThreadPool";
    private const string Node = "t_completionCountObject";
    private const string Locals = "System.Threading.ThreadPoolWorkQueueThreadLocals";
    private const string OfThread = "threadLocals";
    private const string NodeOfLocals = "threadLocalCompletionCountObject";
    private const string Count = "_count";

    /// <summary>Null where no worker has a count that can be read.</summary>
    public static IReadOnlyList<WorkerItems>? Read(ClrRuntime runtime, CaptureContext context)
        => Attempt.Read("completed items of the thread pool", () => Known.Read(Of(runtime, context))) is var known
            && known.TryGet(out IReadOnlyList<WorkerItems>? counts) && counts.Count > 0
                ? counts
                : null;

    private static IReadOnlyList<WorkerItems> Of(ClrRuntime runtime, CaptureContext context)
    {
        ClrThreadStaticField? node = FieldOf(runtime, Pool, Node);
        ClrThreadStaticField? locals = FieldOf(runtime, Locals, OfThread);
        List<WorkerItems> counts = [];
        foreach (ClrThread thread in runtime.Threads.Where(thread => thread.IsAlive && thread.OSThreadId != 0).Take(context.Limits.Threads))
        {
            context.Step();
            ClrObject counter = node?.ReadObject(thread) is { IsNull: false } own ? own
                : locals?.ReadObject(thread) is { IsNull: false } queue ? queue.Reference(NodeOfLocals)
                : default;
            if (!counter.IsNull && counter.Number(Count) is { } count)
            {
                counts.Add(new WorkerItems(new ThreadId(thread.OSThreadId), unchecked((uint)count)));
            }
        }

        return counts;
    }

    private static ClrThreadStaticField? FieldOf(ClrRuntime runtime, string type, string name)
        => runtime.BaseClassLibrary?.GetTypeByName(type)?.ThreadStaticFields.FirstOrDefault(field => field.Name == name);
}
