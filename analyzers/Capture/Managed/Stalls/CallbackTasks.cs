using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Joins the tasks that stand for the end of a callback with the thread that runs it.</summary>
internal static class CallbackTasks
{
    public static TaskFacts WithRunner(TaskFacts task, IReadOnlyList<CallbackEnd> callbacks, TokenCallbacks tokens, ClrRuntime runtime)
    {
        ThreadId? runner = callbacks.FirstOrDefault(callback => callback.Signal.Address == task.Address.Value)?.Runner;
        if (runner is null && task.Method?.Contains("WaitForCallbackToCompleteAsync", StringComparison.Ordinal) == true)
        {
            runner = tokens.RunnerFor(runtime.Heap.GetObject(task.Address.Value));
        }

        return runner is { } thread
            ? task with { Needs = [new TaskNeedFacts { Kind = TaskNeedKind.Thread, Thread = thread, Trust = Trust.Derived, Source = "the callback whose end completes it" }] }
            : task;
    }
}
