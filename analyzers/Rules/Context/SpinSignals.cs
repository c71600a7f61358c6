using HangTriage.Facts;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Context;

/// <summary>
/// The independent signs that a thread spins. One alone is weak: any thread may be caught in one yield, any computation
/// burns CPU, and most code runs in loops. Null stands for a sign that could not be looked for.
/// </summary>
/// <param name="Thread">The thread.</param>
/// <param name="State">What it was doing, by its stack.</param>
/// <param name="Yield">The frame that gives the time slice away; null where there is none or the stack does not tell.</param>
/// <param name="Yields">Whether the thread was in such a call.</param>
/// <param name="Code">The loop of machine code that it is in; null where none is known.</param>
/// <param name="Cpu">Its processor time, where recorded.</param>
/// <param name="IsBusy">Whether that is much: since an earlier capture where there is one, else of its life.</param>
/// <param name="History">What it did since an earlier capture; null where there is none.</param>
internal sealed record SpinSignals(
    ThreadFacts Thread,
    ThreadActivity State,
    FrameFacts? Yield,
    bool? Yields,
    LoopFacts? Code,
    Known<CpuShare> Cpu,
    bool? IsBusy,
    ThreadHistory? History)
{
    /// <summary>The loop has a <c>pause</c> in it: it is written to wait. Those of the system's layers end by themselves.</summary>
    public bool Pauses => Code is { HasPause: true } loop && !SystemLayers.Contain(Thread.Stack.Frames[loop.FrameIndex]);

    /// <summary>It waits without blocking: caught in a yield, or in a loop that pauses.</summary>
    public bool? LoopsWaiting => Pauses ? true : Yields;

    /// <summary>It was in the same loop in an earlier capture and burned CPU in between.</summary>
    public bool IsSameLoop => History?.IsSameLoop == true;

    public bool? Spins => LoopsWaiting switch
    {
        false => false,
        true when IsBusy == true => true,
        true when Code is not null && !HasUsedLittle => true,
        true when IsCaughtAgain => true,
        true when History is { IsSamePlace: true, Cpu: null } && IsBusy is null => true,
        _ when IsBusy == false => false,
        _ => null,
    };

    /// <summary>
    /// It runs, or would if others left it a processor: since an earlier capture where there is one, else for much of its life.
    /// </summary>
    public bool WantsProcessor => History?.WantsProcessor ?? Cpu.Is(share => share.WantsProcessor);

    /// <summary>A second look agrees: the CPU that it burns, by its life or since an earlier capture.</summary>
    public bool IsConfirmed => Spins == true && IsBusy == true;

    /// <summary>Uses a processor, and waits for nothing that its stack shows.</summary>
    public bool Computes => State == ThreadActivity.Running && IsBusy == true && Spins == false;

    /// <summary>One sign is there and the other could not be looked for.</summary>
    public bool IsHalfSeen => Spins is null && (LoopsWaiting == true || IsBusy == true);

    /// <summary>Its CPU time is held against its life or an earlier sample, not merely against that of the other threads.</summary>
    private bool IsMeasured => History?.IsBusy is not null || Cpu.Is(share => share.Share is not null);

    /// <summary>The same, as the policy reads them.</summary>
    public Sign Signs
        => (IsBusy == true && IsMeasured ? Sign.BurnsCpu : IsBusy == false && !IsCaughtAgain ? Sign.LittleCpu : Sign.None)
            | (History switch
            {
                { IsSamePlace: true } => Sign.SamePlaceBefore,
                { } => Sign.ElsewhereBefore,
                null => Sign.None,
            });

    /// <summary>The innermost frame outside the system's layers: where the loop is that yields. Null where every frame is the system's.</summary>
    public FrameFacts? Site
        => Thread.Stack.Frames.FirstOrDefault(frame =>
            frame.Kind != FrameKind.Runtime && !SystemLayers.Contain(frame) && ManagedCalls.StateOf(frame) is null);

    // On a machine with more to do than processors, who gives his time slice away gets next to none: he is found where he gave it away, look
    // after look. Who waits instead is found in the wait.
    private bool IsCaughtAgain => State == ThreadActivity.Yielding && Code is not null && History is { IsSamePlace: true } history && history.Cpu > TimeSpan.Zero;

    // Little CPU speaks against a spin, a small share of a long life does not: it may have begun lately.
    private bool HasUsedLittle => History?.HasWorked == false || Cpu.Is(share => !share.IsMuch);

    public static SpinSignals Of(ThreadAssessment assessment, RuleContext context)
    {
        ThreadFacts thread = assessment.Thread;
        Known<CpuShare> cpu = CpuShare.Of(thread, context.Snapshot.Target);
        ThreadHistory? history = context.Timeline.Of(thread);
        LoopFacts? code = thread.Loop is { } loop && loop.TryGet(out LoopFacts? facts)
            && facts.FrameIndex >= 0 && facts.FrameIndex < thread.Stack.Frames.Count ? facts : null;
        bool yields = assessment.State == ThreadActivity.Yielding
            || (assessment.State == ThreadActivity.Sleeping && code is not null && cpu.Is(share => share.IsMuch && share.Share >= Thresholds.SleeplessShare));
        return new SpinSignals(
            thread,
            assessment.State,
            yields ? assessment.Frame : null,
            assessment.State == ThreadActivity.Unknown ? null : yields,
            code,
            cpu,
            IsBusyNow(history, cpu.TryGet(out CpuShare? share) ? share.IsBusy(context.ProcessCpu) : null),
            history);
    }

    // Where others compete for the processors a thread that has always been busy gets less than a third of the time between.
    private static bool? IsBusyNow(ThreadHistory? history, bool? isBusyByLife)
        => history?.IsBusy is { } isBusy ? isBusy || (history.HasWorked == true && isBusyByLife == true) : isBusyByLife;
}
