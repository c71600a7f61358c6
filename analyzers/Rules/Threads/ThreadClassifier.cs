using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Tells from a thread's innermost frames what it was doing.</summary>
internal static class ThreadClassifier
{
    // Who waits for a lock gets no further for being let go on, so the lock tells more.
    public static ThreadAssessment Assess(ThreadFacts thread)
    {
        ThreadAssessment seen = OfStack(thread);
        return seen.State is not (ThreadActivity.WaitsForLock or ThreadActivity.WaitsForLoader)
            && thread.IsSuspended is { } flag && flag.Is(isSuspended => isSuspended)
                ? seen with { State = ThreadActivity.Suspended, Trust = flag.Trust }
                : seen;
    }

    private static ThreadAssessment OfStack(ThreadFacts thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        if (LoaderWait.Of(thread) is { } wait)
        {
            return new ThreadAssessment(thread, ThreadActivity.WaitsForLoader, wait.Trust, wait.Entry);
        }

        if (RemoteCall.Of(frames) is { } call)
        {
            return new ThreadAssessment(thread, ThreadActivity.WaitsForReply, call.Entry.Trust, call.Entry);
        }

        if (frames.Count > 0 && NativeCalls.StateOf(frames[0]) is { } state)
        {
            return OfNativeCall(thread, state);
        }

        if (SystemCallOf(thread) is { } systemCall && CallStates.OfSystemCall(systemCall.Value) is { } called)
        {
            return IsWait(called) && OfManagedCall(thread, frames.SkipWhile(NativeCalls.IsWayOut)) is { } reason
                ? reason
                : new ThreadAssessment(thread, called, systemCall.Trust, frames[0]);
        }

        if (NativeCalls.YieldOf(frames) is { } yield)
        {
            return new ThreadAssessment(thread, ThreadActivity.Yielding, yield.Trust, yield);
        }

        return OfManagedCall(thread, frames)
            ?? (!IsInKernel(thread) && (IsInItsOwnCode(thread) || IsOnProcessor(thread))
                ? new ThreadAssessment(thread, ThreadActivity.Running, Trust.Derived, frames[0])
                : new ThreadAssessment(thread, ThreadActivity.Unknown, Trust.Derived, null));
    }

    private static ThreadAssessment OfNativeCall(ThreadFacts thread, ThreadActivity state)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        if (state == ThreadActivity.WaitsForMessage && frames.TakeWhile(frame => frame.Kind == FrameKind.Native).Any(NativeCalls.WaitsWhilePumping))
        {
            return new ThreadAssessment(thread, ThreadActivity.WaitsForObject, frames[0].Trust, frames[0]);
        }

        FrameFacts? lockEntry = state == ThreadActivity.WaitsForObject
            ? frames.TakeWhile(NativeCalls.IsNtdll).SkipWhile(frame => !NativeCalls.EntersLock(frame)).TakeWhile(NativeCalls.EntersLock).LastOrDefault()
            : null;
        return lockEntry is not null ? new ThreadAssessment(thread, ThreadActivity.WaitsForLock, lockEntry.Trust, lockEntry)
            : IsWait(state) && OfManagedCall(thread, frames.SkipWhile(NativeCalls.IsWayOut)) is { } reason ? reason
            : new ThreadAssessment(thread, state, frames[0].Trust, frames[0]);
    }

    /// <summary>What a managed call near the top stands for; null where none is known.</summary>
    private static ThreadAssessment? OfManagedCall(ThreadFacts thread, IEnumerable<FrameFacts> frames)
    {
        foreach (FrameFacts frame in frames.Take(Thresholds.FramesToClassify))
        {
            if (ManagedCalls.StateOf(frame) is { } managed)
            {
                return managed is not (ThreadActivity.Yielding or ThreadActivity.Sleeping) || SpinnerOf(thread.Stack.Frames, frame) is not { } spinner
                    ? new ThreadAssessment(thread, managed, frame.Trust, frame)
                    : new ThreadAssessment(
                        thread, StateOfSpin(spinner), frame.Trust, frame);
            }
        }

        return null;
    }

    // All that the runtime waits for is one of these to the system; the managed call says which of its own waits it is.
    private static bool IsWait(ThreadActivity state)
        => state is ThreadActivity.WaitsForObject or ThreadActivity.Sleeping or ThreadActivity.Yielding or ThreadActivity.WaitsForIo;

    // Where no export names the stub, its code or the registers can tell the number of the call. A thread whose innermost frame
    // is managed made none: the runtime holds it up in a signal's handler, and may let it go at once.
    private static Known<string>? SystemCallOf(ThreadFacts thread)
        => thread.Stack.Frames is [{ Kind: not FrameKind.Managed }, ..] && thread.SystemCall is { } call && call.TryGet(out SystemCallFacts? facts) && facts.Name.HasValue
            ? facts.Name
            : null;

    // What spins, where the thread was caught in a yield or in one of the short sleeps that SpinWait mixes into them. The
    // primitives of System.Threading do it a bounded number of times before they block.
    private static FrameFacts? SpinnerOf(IReadOnlyList<FrameFacts> frames, FrameFacts pause)
    {
        FrameFacts[] calls = [.. frames.SkipWhile(frame => frame != pause).Where(frame => frame.Kind == FrameKind.Managed)];
        FrameFacts[] spins = [.. calls.TakeWhile(frame => ManagedCalls.IsSpin(frame) || ManagedCalls.StateOf(frame) == ThreadActivity.Sleeping)];
        // Where the runtime's marker of the yield is all that is left of it, it is no managed frame.
        return (spins.Any(ManagedCalls.IsSpin) || ManagedCalls.IsSpin(pause)) && spins.Length < calls.Length ? calls[spins.Length] : null;
    }

    // A worker without an item spins before it sleeps.
    private static ThreadActivity StateOfSpin(FrameFacts spinner)
        => ManagedCalls.StateOf(spinner) == ThreadActivity.IdlePoolWorker ? ThreadActivity.IdlePoolWorker
            : ManagedCalls.IsThreadingPrimitive(spinner) ? ThreadActivity.WaitsForObject
            : ThreadActivity.Yielding;

    // An unknown system call or a managed frame below a marker of the runtime says nothing: the thread may wait in it.
    private static bool IsInItsOwnCode(ThreadFacts thread)
        => thread.Stack.Frames is [{ Method: { } method } top, ..]
            && (top.Kind == FrameKind.Managed
                || (top.Kind == FrameKind.Native && !CallNames.IsSystemCall(method) && !MayBeInSystemCall(thread)));

    // A native function that makes system calls is on top of many stacks, and which call it is in is missing.
    private static bool MayBeInSystemCall(ThreadFacts thread)
        => thread.SystemCall is { } call && (!call.TryGet(out SystemCallFacts? facts) || !facts.Name.HasValue);

    // What it does there is not known, and it is not computing. A managed frame on top is a thread that a signal holds up.
    private static bool IsInKernel(ThreadFacts thread)
        => thread.Stack.Frames is [{ Kind: not FrameKind.Managed }, ..]
            && thread.IsInSystemCall?.Is(isInSystemCall => isInSystemCall) == true;

    // Code that nothing names tells too: a thread that is not behind a system call does not wait.
    private static bool IsOnProcessor(ThreadFacts thread)
        => thread.Stack.Frames is [{ Kind: not FrameKind.Managed }, ..]
            && thread.IsInSystemCall?.Is(isInSystemCall => !isInSystemCall) == true;
}
