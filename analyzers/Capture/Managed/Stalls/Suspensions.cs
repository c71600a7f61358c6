using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds the threads that keep a stop of all threads waiting. A thread in cooperative mode has to come to a safe point: managed
/// code does so at once, native code that was entered in that mode (SuppressGCTransition, the runtime's own helpers) when it returns.
/// </summary>
internal sealed class Suspensions(IReadOnlyList<ClrThread> threads, ThreadFrames walked)
{
    public IEnumerable<Stall> Find()
    {
        if (threads.FirstOrDefault(thread => thread.IsGc) is not { } stopper)
        {
            yield break;
        }

        foreach (ClrThread holdout in threads.Where(thread => thread.Address != stopper.Address && IsHoldout(thread)))
        {
            LockFacts facts = Stall.Held(LockKind.Suspension, holdout.Address, Known.Derived(string.Empty), Known.Derived(new ThreadId(holdout.OSThreadId)));
            yield return new Stall(facts, [Stall.Wait(stopper.OSThreadId, facts.Id, "the thread that the runtime records as the one that stops all others")]);
        }
    }

    private bool IsHoldout(ClrThread thread)
        => thread is { GCMode: GCMode.Cooperative, IsGc: false }
            && (IsInNativeLeaf(thread) || walked.Of(thread).FirstOrDefault() is not { Kind: ClrStackFrameKind.ManagedMethod });

    private static bool IsInNativeLeaf(ClrThread thread)
        => thread.Runtime.DataTarget.DataReader is IContextStandIn shown && shown.HasStandIn(thread.OSThreadId);
}
