using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds timers that were disposed of while their callback runs, and that somebody waits for: Timer.Dispose(WaitHandle) and
/// DisposeAsync leave in the timer what is signalled when its last callback has ended.
/// </summary>
internal sealed class TimerCallbacks(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Timer = "System.Threading.TimerQueueTimer";

    public IEnumerable<CallbackEnd> Find()
    {
        HashSet<ulong> seen = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            if (!walked.Of(thread).Any(frame => frame.Method is { Name: "Fire", Type.Name: Timer }))
            {
                continue;
            }

            foreach (ClrObject timer in StackObjects.Of(thread).All(Timer).Where(timer => seen.Add(timer.Address)))
            {
                if (timer.Number("_callbacksRunning") is not 0 && timer.Reference("_notifyWhenNoCallbacksRunning") is { IsNull: false } signal)
                {
                    yield return new CallbackEnd(timer.Address, "System.Threading.Timer", new ThreadId(thread.OSThreadId), signal);
                }
            }
        }
    }
}
