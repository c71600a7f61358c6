using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What the type of an object tells of what whoever has it can do.</summary>
internal static class ReachTypes
{
    private const string Sources = "System.Threading.Tasks.TaskCompletionSource";

    // Of a wait of Nito.AsyncEx that takes a token: it has the queue of all that wait, and calls off this one.
    private const string CallsOff = "Nito.AsyncEx.AsyncWaitQueueExtensions+<>c__DisplayClass";

    // The delegate of a channel that a token calls for one read or write, which it calls off.
    private const string CallsOffRead = "System.Action<System.Object, System.Threading.CancellationToken>";
    private const string Channels = "System.Threading.Channels.";
    private const string Pipes = "System.IO.Pipelines.Pipe+";
    private const uint NotSet = uint.MaxValue;
    private const uint FinalizerRun = 0x40000000;
    private const int MostOfThreadStatics = 10_000;

    // Tasks that refer to the one that they wait for: WaitAsync, WhenAny, ContinueWith.
    private static readonly string[] s_behind =
    [
        "System.Threading.Tasks.Task+CancellationPromise", "System.Threading.Tasks.Task+WhenAnyPromise", "System.Threading.Tasks.Task+TwoTaskWhenAnyPromise",
        "System.Threading.Tasks.TaskFactory+CompleteOn", "System.Threading.Tasks.ContinuationTask", "System.Threading.Tasks.ContinuationResultTask",
    ];

    /// <summary>What runs by itself and leads to the object; null where nothing such is known of its type.</summary>
    public static FlowRoot? RootOf(ClrObject found)
    {
        string? name = found.Type?.Name;
        return name is null ? FlowRoot.Unknown
            : PendingTimers.IsTimer(found) ? (uint?)found.Number("_dueTime") == NotSet ? null : FlowRoot.Timer
            : InputOutput.IsType(name) || name is "System.Threading.RegisteredWaitHandle" or "System.Threading._ThreadPoolWaitOrTimerCallback" ? FlowRoot.InputOutput
            : Continuation.DerivesFromContext(found.Type) ? FlowRoot.Unknown
            : null;
    }

    /// <summary>An object of the program's or of a library's, whose finalizer will run and may do anything.</summary>
    public static bool HasFinalizer(ClrObject found)
        => !IsSuppressed(found)
            && found.Type is { IsFinalizable: true, Name: { } name }
            && !Frameworks.IsOfBaseLibrary(name)
            && !name.StartsWith("Microsoft.Win32.", StringComparison.Ordinal);

    // GC.SuppressFinalize was called for it, or its finalizer has run (syncblk.h: BIT_SBLK_FINALIZER_RUN, in the word before the object).
    private static bool IsSuppressed(ClrObject found)
        => found.Type?.Heap.Runtime.DataTarget.DataReader.Read(found.Address - sizeof(uint), out uint header) == true
            && (header & FinalizerRun) != 0;

    /// <summary>
    /// Whoever has the object can get at the target through it. Having a task does not: only its source, the base library, or
    /// what it continues behind completes it; but who has one in a queue can run it. Who reads from a queue does not write to it.
    /// </summary>
    public static bool CanUse(ClrObject holder, ClrObject target)
    {
        string name = holder.Type?.Name ?? string.Empty;
        return name.StartsWith(CallsOff, StringComparison.Ordinal) ? TaskObject.IsTask(target)
            : IsQueue(target) ? !IsEnd(name) && name != CallsOffRead
            : !TaskObject.IsTask(target)
                || name.StartsWith(Sources, StringComparison.Ordinal)
                || (Frameworks.IsOfBaseLibrary(name) && !holder.IsArray && !IsListOfTasks(name) && !Array.Exists(s_behind, prefix => name.StartsWith(prefix, StringComparison.Ordinal)))
                || (holder.IsArray && name == "System.Object[]")
                || (IsPartOfQueue(name) && TaskObject.IsToRun(target));
    }

    // How schedulers of a program's own keep what they are to run; who waits for tasks has arrays and lists of them.
    private static bool IsPartOfQueue(string name)
        => name.StartsWith("System.Collections.", StringComparison.Ordinal)
            && (name.EndsWith("+Slot[]", StringComparison.Ordinal) || name.Contains(".LinkedListNode<", StringComparison.Ordinal)
                || name.Contains("ConcurrentStack<", StringComparison.Ordinal));

    /// <summary>The writer or reader of a channel or pipe.</summary>
    public static bool IsEnd(string name)
        => (name.StartsWith(Channels, StringComparison.Ordinal) && name.Contains('+', StringComparison.Ordinal)
                && (name.Contains("ChannelReader", StringComparison.Ordinal) || name.Contains("ChannelWriter", StringComparison.Ordinal)))
            || name is Pipes + "DefaultPipeReader" or Pipes + "DefaultPipeWriter";

    private static bool IsQueue(ClrObject target)
        => (target.Type?.Name?.StartsWith(Channels, StringComparison.Ordinal) == true && target.Has("_doneWriting")) || target.Type?.Name == "System.IO.Pipelines.Pipe";

    private static bool IsListOfTasks(string name)
        => name.StartsWith("System.Collections.", StringComparison.Ordinal) && name.Contains("<System.Threading.Tasks.Task", StringComparison.Ordinal);

    /// <summary>Static fields are kept in arrays of the runtime's.</summary>
    public static bool IsStatics(ClrObject found, RuntimeHandles handles) => found.Type?.Name == "System.Object[]" && handles.Keeps(found.Address);

    /// <summary>
    /// The array, which nothing on the heap refers to, is one where a thread of the runtime's keeps its static fields: it has an array
    /// for each type. Others of the kind are garbage, such as the arguments of a call by reflection.
    /// </summary>
    public static bool IsThreadStatics(ClrObject found)
        => found.Type is { Name: "System.Object[]" } && found.AsArray() is { Rank: 1 } array
            && Enumerable.Range(0, Math.Min(array.Length, MostOfThreadStatics)).Select(index => array.GetObjectValue(index)).All(element => element.IsNull || element.IsArray);
}
