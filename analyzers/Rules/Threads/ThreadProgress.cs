using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What became of a thread between two captures.</summary>
/// <param name="Between">The time between the captures.</param>
/// <param name="IsSamePlace">It was in the same loop, or below the same calls outside the system's layers.</param>
/// <param name="Cpu">The processor time that it used between; null where one of the captures does not say.</param>
internal sealed record ThreadProgress(TimeSpan Between, bool IsSamePlace, TimeSpan? Cpu)
{
    private const int FramesToCompare = 3;

    // As for a whole life: far above any thread that mostly waits.
    private const double BusyShare = 1.0 / 3;

    // Two ticks of the system's clock; a thread that stays in its wait uses none.
    private static readonly TimeSpan s_leastWork = TimeSpan.FromMilliseconds(32);

    /// <summary>It used much of the time between; null where that is not known.</summary>
    public bool? IsBusy => Cpu is { } cpu ? cpu >= Between * BusyShare : null;

    /// <summary>It has worked at all; null where that is not known.</summary>
    public bool? HasWorked => Cpu is { } cpu ? cpu >= s_leastWork && cpu >= Between / 100 : null;

    /// <summary>It was in the same loop in both captures and burned CPU in between.</summary>
    public bool IsSameLoop => IsSamePlace && IsBusy == true;

    /// <summary>A thread that waits now and was elsewhere then, or has worked since, is not stuck since then.</summary>
    public bool HasMovedOn => !IsSamePlace || HasWorked == true;

    /// <summary>Null without an earlier capture, or where the thread did not live then or has no stack in one of them.</summary>
    public static ThreadProgress? Of(ThreadFacts thread, EarlierCapture? earlier)
        => earlier?.Find(thread) is { Stack.Frames.Count: > 0 } then && thread.Stack.Frames.Count > 0
            ? new ThreadProgress(earlier.Between, IsSame(thread, then), CpuBetween(then.Cpu, thread.Cpu))
            : null;

    private static TimeSpan? CpuBetween(Known<CpuTime> then, Known<CpuTime> now)
        => then.TryGet(out CpuTime? start) && now.TryGet(out CpuTime? end) && end.Total() >= start.Total() ? end.Total() - start.Total() : null;

    private static bool IsSame(ThreadFacts now, ThreadFacts then)
    {
        if (LoopOf(now) is { } loop && LoopOf(then) is { } loopThen)
        {
            return loop.Start == loopThen.Start && loop.End == loopThen.End;
        }

        FrameFacts[] frames = [.. OwnFrames(now)];
        FrameFacts[] framesThen = [.. OwnFrames(then)];
        return frames.Length == framesThen.Length && frames.Zip(framesThen).All(pair => IsSame(pair.First, pair.Second, pair.First == now.Stack.Frames[0]));
    }

    // A thread that computes goes on within its function, and the runtime compiles managed ones anew; calls return to one place.
    private static bool IsSame(FrameFacts now, FrameFacts then, bool isTop)
        => now.Kind == then.Kind && now.Module == then.Module && now.Method == then.Method
            && (now.Ip == then.Ip || (now.Method is not null && (isTop || now.Kind == FrameKind.Managed)));

    private static IEnumerable<FrameFacts> OwnFrames(ThreadFacts thread)
    {
        IEnumerable<FrameFacts> own = thread.Stack.Frames.Where(frame => frame.Kind != FrameKind.Runtime && !SystemLayers.Contain(frame));
        return (own.Any() ? own : thread.Stack.Frames).Take(FramesToCompare);
    }

    private static LoopFacts? LoopOf(ThreadFacts thread) => thread.Loop is { } loop && loop.TryGet(out LoopFacts? facts) ? facts : null;
}
