using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds what was disposed of or unregistered while its callback runs, and that somebody waits for: it keeps what is signalled when its
/// last callback has ended.
/// </summary>
internal sealed class RunningCallbacks(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    /// <summary>Timer.Dispose(WaitHandle) and DisposeAsync.</summary>
    public IEnumerable<CallbackEnd> OfTimers()
        => Find(
            "System.Threading.TimerQueueTimer",
            frame => frame.Method is { Name: "Fire", Type.Name: "System.Threading.TimerQueueTimer" },
            timer => timer.Number("_callbacksRunning") is not 0 ? timer.Reference("_notifyWhenNoCallbacksRunning") : default,
            "System.Threading.Timer");

    /// <summary>RegisteredWaitHandle.Unregister(WaitHandle).</summary>
    /// <remarks>
    /// Fields of dotnet/runtime: RegisteredWaitHandle.Portable.cs; tried on .NET 10. Any of the methods that run one can be inlined.
    /// </remarks>
    public IEnumerable<CallbackEnd> OfRegisteredWaits()
        => Find(
            "System.Threading.RegisteredWaitHandle",
            RunsCallback,
            wait => wait.Number("_numRequestedCallbacks") is > 0 ? SignalOf(wait) : default,
            "ThreadPool.RegisterWaitForSingleObject");

    // PerformCallback can be inlined into CompleteWait, and where that is inlined too, PerformCallbackPortableCore is left.
    private static bool RunsCallback(ClrStackFrame frame)
        => frame.Method is { Name: "CompleteWait", Type.Name: "System.Threading.PortableThreadPool" }
            or { Name: "PerformCallback" or "PerformCallbackPortableCore", Type.Name: "System.Threading.RegisteredWaitHandle" };

    // Unregister(WaitHandle) signals the caller's own; one that blocks until the end waits for an event of the registration.
    private static ClrObject SignalOf(ClrObject wait)
        => wait.Reference("<UserUnregisterWaitHandle>k__BackingField", "UserUnregisterWaitHandle") is { IsNull: false } own ? own
            : wait.Reference("_callbacksComplete");

    /// <param name="type">What has the callback.</param>
    /// <param name="runs">Whether a frame is where such a callback is run.</param>
    /// <param name="signalOf">What is signalled at the end of one that runs; the null object where nothing is, or none runs.</param>
    /// <param name="label">How reports name it.</param>
    private IEnumerable<CallbackEnd> Find(string type, Func<ClrStackFrame, bool> runs, Func<ClrObject, ClrObject> signalOf, string label)
    {
        HashSet<ulong> seen = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            if (!walked.Of(thread).Any(runs))
            {
                continue;
            }

            foreach (ClrObject found in StackObjects.Of(thread).All(type).Where(found => seen.Add(found.Address)))
            {
                if (signalOf(found) is { IsNull: false } signal)
                {
                    yield return new CallbackEnd(found.Address, label, new ThreadId(thread.OSThreadId), signal);
                }
            }
        }
    }
}
