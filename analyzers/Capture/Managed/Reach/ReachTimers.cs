using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Timers that are set and yet will do nothing: their callbacks overlap, and all of these wait for locks, as the next one will.
/// </summary>
internal sealed class ReachTimers(IReadOnlyList<ThreadStack> stacks, ReachThreads threads)
{
    private readonly Dictionary<ulong, bool> _known = [];

    public bool IsHeldUp(ClrObject found)
    {
        if (!PendingTimers.IsTimer(found))
        {
            return false;
        }

        if (!_known.TryGetValue(found.Address, out bool isHeldUp))
        {
            isHeldUp = found.Number("_callbacksRunning") > 1 && AllWaitForLocks(found.Address);
            _known.Add(found.Address, isHeldUp);
        }

        return isHeldUp;
    }

    private bool AllWaitForLocks(ulong timer)
        => CallbacksOf(timer) is { Length: > 1 } callbacks && Array.TrueForAll(callbacks, threads.WaitsForLock);

    private ThreadStack[] CallbacksOf(ulong timer)
        => [.. stacks.Where(stack => stack.Roots.Contains(timer) && threads.StateOf(stack) != ReachThreadState.OfRuntime)];
}
