using HangTriage.Capture.Managed.Locks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>A thread that blocks until tasks complete.</summary>
/// <param name="Stack">The thread.</param>
/// <param name="Tasks">The tasks that are all needed.</param>
/// <param name="Monitor">The object that the wait sleeps on inside, for which the runtime records a Monitor.Wait.</param>
/// <param name="IsProven">The tasks' own continuations wake the thread.</param>
/// <param name="IsEndless">The call takes no timeout.</param>
/// <param name="Method">The frame that shows it.</param>
internal sealed record TaskWait(ThreadStack Stack, IReadOnlyList<ClrObject> Tasks, ulong? Monitor, bool IsProven, bool IsEndless, string Method)
{
    /// <summary>Null where the thread is in no such wait; a gap where it is, and its tasks are not certain.</summary>
    public static Known<TaskWait>? Of(ThreadStack stack, CaptureContext context)
    {
        if (BlockingFrame(stack) is not { } first || IsSemaphores(stack.Frames.Skip(first)))
        {
            return null;
        }

        ClrStackFrame[] frames = [.. stack.Frames.Skip(first).TakeWhile(IsWait)];
        ClrObject[] roots = [.. frames.SelectMany(stack.RootsOf).DistinctBy(root => root.Address)];
        HashSet<ulong> blockers = [.. roots.Where(IsBlocker).Select(root => root.Address)];
        ClrObject[] candidates =
        [
            .. roots.Where(TaskObject.IsTask)
                .Concat(roots.Where(root => root.Has("_items") && root.Has("_size")).SelectMany(list => list.Elements(context.Limits.Tasks)).Where(TaskObject.IsTask))
                .DistinctBy(task => task.Address),
        ];
        ClrObject[] told = [.. candidates.Where(task => Continuation.Entries(task).Any(entry => blockers.Contains(entry.Address)))];
        ClrObject[] pending = [.. (told.Length > 0 ? told : candidates).Where(task => !TaskObject.IsCompleted(task))];
        bool isAll = stack.Frames[first].Method!.Name == TaskCalls.BlocksOnAll;
        if (candidates.Length > 0 && pending.Length == 0)
        {
            // It is about to go on.
            return null;
        }

        string source = $"stack root of {ManagedStack.MethodName(stack.Frames[first].Method)}";
        return pending.Length == 1 || (isAll && pending.Length > 0)
            ? Known.Derived(new TaskWait(stack, pending, MonitorOf(stack, first), told.Length > 0, TakesNoTimeout(stack, first), source))
            : Known.Unknown<TaskWait>(
                $"task that thread 0x{stack.Thread.OSThreadId:x} waits for",
                $"its frames of Task.Wait hold {pending.Length} tasks that it can wait for");
    }

    /// <summary>The innermost frame that blocks on a task; null where code of the program's own is on top of it.</summary>
    private static int? BlockingFrame(ThreadStack stack)
    {
        for (int index = 0; index < stack.Frames.Count; index++)
        {
            if (stack.Frames[index].Method is { } method)
            {
                string type = method.Type?.Name ?? string.Empty;
                if (!Frameworks.IsOfBaseLibrary(type))
                {
                    return null;
                }

                if (TaskCalls.Table.Find(type, method.Name)?.Meaning == CallMeaning.BlocksOnTask)
                {
                    return index;
                }
            }
        }

        return null;
    }

    private static bool IsBlocker(ClrObject root)
        => root.Type?.Name is "System.Threading.Tasks.Task+SetOnInvokeMres" or "System.Threading.Tasks.Task+SetOnCountdownMres";

    private static bool IsWait(ClrStackFrame frame)
        => frame.Method is { } method && TaskCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning is CallMeaning.BlocksOnTask or CallMeaning.WaitsForTask;

    // SemaphoreSlim.Wait blocks on a task of its own where others wait by await: it is a wait for the semaphore.
    private static bool IsSemaphores(IEnumerable<ClrStackFrame> frames)
        => frames.Where(frame => frame.Method is not null)
            .TakeWhile(frame => Frameworks.IsOfBaseLibrary(frame.Method!.Type?.Name))
            .Any(frame => frame.Method!.Type!.Name == DotNetTypes.SemaphoreSlim);

    // ManualResetEventSlim sleeps on its m_lock; while it still spins there is no such frame.
    private static ulong? MonitorOf(ThreadStack stack, int first)
    {
        foreach (ClrStackFrame frame in stack.Frames.Take(first).Where(frame => frame.Method?.Type?.Name == DotNetTypes.ManualResetEventSlim))
        {
            ClrObject gate = stack.Frames.Take(first + 1).SelectMany(stack.RootsOf)
                .Where(root => root.Has("m_lock") && root.Has("m_combinedState"))
                .Select(root => root.Reference("m_lock"))
                .FirstOrDefault();
            return gate.IsNull ? null : gate.Address;
        }

        return null;
    }

    /// <summary>The outermost frame of the call tells: Result, GetResult and Wait() take no timeout.</summary>
    private static bool TakesNoTimeout(ThreadStack stack, int first)
    {
        ClrMethod? call = stack.Frames.Skip(first).Select(frame => frame.Method).OfType<ClrMethod>()
            .TakeWhile(method => Frameworks.IsOfBaseLibrary(method.Type?.Name))
            .LastOrDefault(method => method.Type!.Name!.Contains("Task", StringComparison.Ordinal));
        return TaskCalls.Find(call?.Type?.Name, call?.Name)?.End switch
        {
            CallEnd.Never => true,
            CallEnd.ByOverload => call!.Signature is { } signature && TakesNoTimeout(signature),
            _ => false,
        };
    }

    private static bool TakesNoTimeout(string signature)
        => !signature.Contains("Int32", StringComparison.Ordinal) && !signature.Contains("TimeSpan", StringComparison.Ordinal)
            && !signature.Contains("CancellationToken", StringComparison.Ordinal);
}
