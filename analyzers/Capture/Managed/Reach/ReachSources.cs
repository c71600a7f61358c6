using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds what can still run code of the program. Where nothing can, what only static fields lead to is used by nobody; where
/// something can, it may use any static field, since which fields a method uses is not in its stack.
/// </summary>
internal sealed class ReachSources(
    ClrRuntime runtime, RuntimeRoots roots, ReachThreads threads, ReachTimers timers, ManagedFacts facts, CaptureContext context)
{
    // They exist where sockets are used asynchronously, and where waits are registered: either can run code at any time.
    private static readonly string[] s_dispatchers = ["EventLoop", "WaitThreadStart"];

    /// <summary>The first that was found; null where nothing runs.</summary>
    public string? Running()
        => roots.Stacks.FirstOrDefault(CanRun) is { } running ? $"thread 0x{running.Thread.OSThreadId:x}"
            : roots.Stacks.Any(Dispatches) ? "a thread that dispatches input, output or registered waits"
            : facts.HandlesSignals?.Is(handles => !handles) != true ? "a handler of signals"
            : PendingTimers.Of(runtime, context).Any(timer => !timers.IsHeldUp(timer)) ? "a timer"
            : QueuedObjects.Items(runtime, context).Any(Runs) ? "an item in the queue of the thread pool"
            : Flow();

    // Of an item that lets timers fire these are looked at themselves.
    private bool Runs(ClrObject item) => !timers.IsHeldUp(item) && !PendingTimers.IsQueue(item);

    private bool CanRun(ThreadStack stack) => threads.StateOf(stack) is ReachThreadState.Runs or ReachThreadState.AwaitsAnswer;

    private static bool Dispatches(ThreadStack stack) => stack.Frames.Any(frame => frame.Method?.Name is { } name && s_dispatchers.Contains(name));

    private string? Flow()
        => facts.Flows is { } flows && flows.TryGet(out FlowsFacts? known)
            && known.Groups.FirstOrDefault(group => group.State == FlowState.QueuedToResume || group.Waits is { Kind: FlowWaitKind.InputOutput } or { EndsByTimer: true }) is { } moving
                ? $"async method {moving.Method}"
                : null;
}
