using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Time;

/// <summary>Where a thread stands: its loop, or the innermost calls outside the system's layers.</summary>
internal static class Place
{
    public static bool IsSame(ThreadFacts now, ThreadFacts then)
    {
        if (LoopOf(now) is { } loop && LoopOf(then) is { } loopThen)
        {
            return loop.Start == loopThen.Start && loop.End == loopThen.End;
        }

        // SpinWait yields in one way, then in another, and sleeps now and then: what it was caught in is no place.
        bool isSpin = SpinOf(now) > 0 && SpinOf(then) > 0;
        FrameFacts[] frames = [.. OwnFrames(now, isSpin)];
        FrameFacts[] framesThen = [.. OwnFrames(then, isSpin)];
        return frames.Length == framesThen.Length && frames.Zip(framesThen).All(pair => IsSame(pair.First, pair.Second, pair.First == now.Stack.Frames[0]));
    }

    // A thread that computes continues within its function, and the runtime compiles managed ones anew; calls return to one place.
    private static bool IsSame(FrameFacts now, FrameFacts then, bool isTop)
        => now.Kind == then.Kind && now.Module == then.Module && now.Method == then.Method
            && (now.Ip == then.Ip || (now.Method is not null && (isTop || now.Kind == FrameKind.Managed)));

    /// <summary>How many of its innermost managed calls are those of a spin; 0 where it is in none.</summary>
    private static int SpinOf(ThreadFacts thread)
    {
        FrameFacts[] pauses =
        [
            .. thread.Stack.Frames.Where(frame => frame.Kind == FrameKind.Managed)
                .TakeWhile(frame => ManagedCalls.IsSpin(frame) || ManagedCalls.StateOf(frame) == ThreadActivity.Sleeping),
        ];
        return pauses.Any(ManagedCalls.IsSpin) ? pauses.Length : 0;
    }

    private static IEnumerable<FrameFacts> OwnFrames(ThreadFacts thread, bool isSpin)
    {
        IEnumerable<FrameFacts> own = isSpin
            ? thread.Stack.Frames.Where(frame => frame.Kind == FrameKind.Managed).Skip(SpinOf(thread))
            : thread.Stack.Frames.Where(frame => frame.Kind != FrameKind.Runtime && !SystemLayers.Contain(frame));
        return (own.Any() ? own : thread.Stack.Frames).Take(Thresholds.FramesToCompare);
    }

    private static LoopFacts? LoopOf(ThreadFacts thread) => thread.Loop is { } loop && loop.TryGet(out LoopFacts? facts) ? facts : null;
}
