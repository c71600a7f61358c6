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
/// <param name="Method">What shows it.</param>
internal sealed record TaskWait(ThreadStack Stack, IReadOnlyList<ClrObject> Tasks, ulong? Monitor, bool IsProven, bool IsEndless, string Method)
{
    /// <summary>
    /// The tasks that wake the thread, as far as its own stack holds them; fewer than it waits for where it does not hold all.
    /// </summary>
    public static IReadOnlyList<ClrObject> OnStack(ThreadStack stack, TaskBlocker blocker, CaptureContext context)
        => [.. Candidates(stack.Frames.SelectMany(stack.RootsOf), blocker.IsOfSeveral, context)
            .Where(task => Continuation.Entries(task).Any(entry => entry.Address == blocker.Event.Address))];

    /// <summary>The wait of a thread that sleeps until tasks complete; null where it is about to go on, or waits for a semaphore.</summary>
    /// <param name="stack">The thread.</param>
    /// <param name="blocker">What it sleeps on.</param>
    /// <param name="told">The tasks that wake it.</param>
    public static Known<TaskWait>? Of(ThreadStack stack, TaskBlocker blocker, IReadOnlyList<ClrObject> told)
    {
        if (IsSemaphores(stack.Frames))
        {
            return null;
        }

        ClrObject[] pending = [.. told.Where(task => !TaskObject.IsCompleted(task))];
        if (told.Count > 0 && pending.Length == 0)
        {
            return null;
        }

        return pending.Length == 1 || (blocker.IsOfSeveral && pending.Length > 0)
            ? Known.Derived(new TaskWait(stack, pending, blocker.Monitor, IsProven: true, TakesNoTimeout(stack),
                $"event that the tasks' completion sets: {blocker.Event.Type!.Name}"))
            : Known.Unknown<TaskWait>(
                $"task that thread 0x{stack.Thread.OSThreadId:x} waits for",
                told.Count == 0
                    ? $"no task leads to the event that it sleeps on, at 0x{blocker.Event.Address:x}"
                    : $"{pending.Length} tasks lead to the event that it sleeps on");
    }

    /// <summary>
    /// The wait of a thread that does not sleep yet, or whose event could not be read: by its frames. Null where the thread is in no such
    /// wait; a gap where it is, and its tasks are not certain.
    /// </summary>
    public static Known<TaskWait>? ByFrames(ThreadStack stack, CaptureContext context)
    {
        if (BlockingFrame(stack) is not { } first || IsSemaphores(stack.Frames))
        {
            return null;
        }

        ClrStackFrame[] frames = [.. stack.Frames.Skip(first).TakeWhile(IsWait)];
        ClrObject[] roots = [.. frames.SelectMany(stack.RootsOf).DistinctBy(root => root.Address)];
        HashSet<ulong> blockers = [.. roots.Where(TaskBlocker.Is).Select(root => root.Address)];
        ClrObject[] candidates = [.. Candidates(roots, withArrays: false, context)];
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
            ? Known.Derived(new TaskWait(stack, pending, MonitorOf(stack, first), told.Length > 0, TakesNoTimeout(stack), source))
            : Known.Unknown<TaskWait>(
                $"task that thread 0x{stack.Thread.OSThreadId:x} waits for",
                $"its frames of Task.Wait hold {pending.Length} tasks that it can wait for");
    }

    /// <summary>The thread blocks on tasks which have completed, and is about to go on.</summary>
    public static bool HasEnded(ThreadStack stack, CaptureContext context)
    {
        if (BlockingFrame(stack) is not { } first || IsSemaphores(stack.Frames))
        {
            return false;
        }

        ClrObject[] roots = [.. stack.Frames.Take(first + 1).Concat(stack.Frames.Skip(first).TakeWhile(IsWait)).SelectMany(stack.RootsOf)];
        ClrObject[] events = [.. roots.Where(TaskBlocker.Is)];
        ClrObject[] tasks = [.. Candidates(roots, withArrays: false, context)];
        return events.Length > 0 ? events.All(TaskBlocker.IsSet) : tasks.Length > 0 && tasks.All(TaskObject.IsCompleted);
    }

    private static IEnumerable<ClrObject> Candidates(IEnumerable<ClrObject> roots, bool withArrays, CaptureContext context)
    {
        ClrObject[] all = [.. roots.DistinctBy(root => root.Address)];
        return all.Where(TaskObject.IsTask)
            .Concat(all.Where(root => (root.Has("_items") && root.Has("_size")) || (withArrays && IsArrayOfTasks(root)))
                .SelectMany(list => list.Elements(context.Limits.Tasks))
                .Where(TaskObject.IsTask))
            .DistinctBy(task => task.Address);
    }

    private static bool IsArrayOfTasks(ClrObject root)
        => root is { IsArray: true, Type.ComponentType.Name: { } element }
            && element.StartsWith("System.Threading.Tasks.Task", StringComparison.Ordinal);

    /// <summary>The innermost frame that blocks on a task; null where code of the program's own, or of a task, is on top of it.</summary>
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

                // It spins where the call that does so was compiled into this one.
                CallMeaning? meaning = TaskCalls.Find(type, method.Name)?.Meaning;
                if (meaning == CallMeaning.BlocksOnTask || (meaning == CallMeaning.WaitsForTask && stack.Frames.Take(index).All(IsPause)))
                {
                    return index;
                }

                if (meaning is CallMeaning.WaitsForTask or CallMeaning.RunsTask)
                {
                    return null;
                }
            }
        }

        return null;
    }

    private static bool IsPause(ClrStackFrame frame)
        => frame.Method is not { } method || DotNetTypes.Pauses(method.Type?.Name)
            || method.Type?.Name is DotNetTypes.Task or DotNetTypes.ManualResetEventSlim or DotNetTypes.Monitor;

    private static bool IsWait(ClrStackFrame frame)
        => frame.Method is { } method && TaskCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning is CallMeaning.BlocksOnTask or CallMeaning.WaitsForTask;

    // SemaphoreSlim.Wait blocks on a task of its own where others wait by await: it is a wait for the semaphore.
    private static bool IsSemaphores(IEnumerable<ClrStackFrame> frames)
        => frames.Where(frame => frame.Method is not null)
            .SkipWhile(frame => TaskBlocker.IsInterop(frame.Method!))
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
    private static bool TakesNoTimeout(ThreadStack stack)
    {
        ClrMethod? call = stack.Frames.Select(frame => frame.Method).OfType<ClrMethod>()
            .SkipWhile(TaskBlocker.IsInterop)
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
