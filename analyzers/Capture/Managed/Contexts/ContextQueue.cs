using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Contexts;

/// <summary>
/// What has been posted to a context and not yet run: delegates that lead to a task and that the context leads to, through
/// whatever queue it keeps. Tasks are not passed, since their own continuations wait in no queue.
/// </summary>
internal static class ContextQueue
{
    private const int Most = 50_000;

    public static IEnumerable<ClrObject> Posted(ClrObject syncContext, CaptureContext context)
    {
        HashSet<ulong> seen = [syncContext.Address];
        Queue<ClrObject> open = new([syncContext]);
        while (open.TryDequeue(out ClrObject target))
        {
            context.Step();
            foreach (ClrObject next in target.EnumerateReferences())
            {
                if (next.IsNull || next.Type is null || seen.Count >= Most || !seen.Add(next.Address))
                {
                    continue;
                }

                if (next.IsDelegate && Continuation.From(next, default, 4).FirstOrDefault().Target is { IsNull: false } task)
                {
                    yield return task;
                }
                else if (TaskObject.IsAwaitable(next) && target.IsArray)
                {
                    // Posted with the box itself as its state.
                    yield return next;
                }
                else if (!TaskObject.IsAwaitable(next) && !IsElsewhere(next))
                {
                    open.Enqueue(next);
                }
            }
        }
    }

    // Threads and the runtime's own descriptions lead to everything.
    private static bool IsElsewhere(ClrObject target)
        => target.Type!.Name is ThreadObjects.TypeName or "System.RuntimeType" or "System.String" or "System.Threading.ExecutionContext";
}
