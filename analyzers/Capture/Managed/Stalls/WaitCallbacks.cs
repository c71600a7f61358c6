using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds registered waits (ThreadPool.RegisterWaitForSingleObject) that were unregistered while their callback runs, and that somebody
/// waits for: Unregister(WaitHandle) leaves in the registration what is signalled when the last callback has ended.
/// </summary>
/// <remarks>Fields of dotnet/runtime: RegisteredWaitHandle.Portable.cs; tried on .NET 10.</remarks>
internal sealed class WaitCallbacks(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Registration = "System.Threading.RegisteredWaitHandle";
    private const string Pool = "System.Threading.PortableThreadPool";

    // The second is where the pool runs a callback; the first is inlined into it.
    private static readonly string[] s_runs = ["PerformCallback", "CompleteWait"];

    public IEnumerable<CallbackEnd> Find()
    {
        HashSet<ulong> seen = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            if (!walked.Of(thread).Any(frame => frame.Method is { Name: { } name, Type.Name: Registration or Pool } && s_runs.Contains(name)))
            {
                continue;
            }

            foreach (ClrObject wait in StackObjects.Of(thread).All(Registration).Where(wait => seen.Add(wait.Address)))
            {
                if (wait.Number("_numRequestedCallbacks") is > 0 && SignalOf(wait) is { IsNull: false } signal)
                {
                    yield return new CallbackEnd(wait.Address, "ThreadPool.RegisterWaitForSingleObject", new ThreadId(thread.OSThreadId), signal);
                }
            }
        }
    }

    // Unregister(WaitHandle) signals the caller's own; one that blocks until the end waits for an event of the registration.
    private static ClrObject SignalOf(ClrObject wait)
        => wait.Reference("<UserUnregisterWaitHandle>k__BackingField", "UserUnregisterWaitHandle") is { IsNull: false } own ? own : wait.Reference("_callbacksComplete");
}
