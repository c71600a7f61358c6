using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>The tasks whose code is on a thread's stack: the frames that run a task hold it.</summary>
internal static class RunningTasks
{
    public static IEnumerable<ClrObject> On(ThreadStack stack)
        => stack.Frames
            .Where(frame => frame.Method is { } method && RunsTask(method))
            .SelectMany(frame => stack.RootsOf(frame).Where(root => IsRunBy(frame.Method!, root)))
            .Select(TaskOf)
            .Where(task => !task.IsNull && TaskObject.IsAwaitable(task) && !TaskObject.IsCompleted(task));

    private static bool RunsTask(ClrMethod method)
    {
        string type = method.Type?.Name ?? string.Empty;
        return method.Name == "MoveNext" ? IsBoxType(type) || type.Contains(">d", StringComparison.Ordinal)
            : TaskCalls.Table.Find(method.Name)?.Meaning == CallMeaning.RunsTask
                && (type.StartsWith("System.Threading.Tasks.", StringComparison.Ordinal) || IsBoxType(type));
    }

    // An async method holds the tasks that it waits for, too, and its own box is in the frame that called it.
    private static bool IsRunBy(ClrMethod method, ClrObject root)
        => method.Name != "MoveNext" || IsBoxType(method.Type!.Name!)
            || (root.Type!.MetadataToken == method.Type.MetadataToken && root.Type.Module?.Address == method.Type.Module?.Address);

    private static bool IsBoxType(string type) => type.Contains("StateMachineBox<", StringComparison.Ordinal);

    // The machine's own MoveNext holds the machine where that is an object.
    private static ClrObject TaskOf(ClrObject root) => StateMachine.IsMachine(root) ? StateMachine.BoxOf(root) : root;
}
