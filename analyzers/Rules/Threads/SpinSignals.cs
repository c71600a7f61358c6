using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>
/// The independent signs that a thread spins. One alone is weak: any thread may be caught in one yield, and any
/// computation burns CPU. Null stands for a sign that could not be looked for.
/// </summary>
/// <param name="Thread">The thread.</param>
/// <param name="Yield">The frame that gives the time slice away; null where there is none or the stack does not tell.</param>
/// <param name="Yields">Whether the thread was in such a call.</param>
/// <param name="Cpu">Its processor time, where recorded.</param>
/// <param name="IsBusy">Whether that is much.</param>
internal sealed record SpinSignals(ThreadFacts Thread, FrameFacts? Yield, bool? Yields, Known<CpuShare> Cpu, bool? IsBusy)
{
    public bool? Spins => (Yields, IsBusy) switch
    {
        (true, true) => true,
        (false, _) or (_, false) => false,
        _ => null,
    };

    /// <summary>One sign is there and the other could not be looked for.</summary>
    public bool IsHalfSeen => Spins is null && (Yields == true || IsBusy == true);

    /// <summary>The innermost frame outside the system's layers: the loop that yields. Null where every frame is the system's.</summary>
    public FrameFacts? Loop
        => Thread.Stack.Frames.FirstOrDefault(frame =>
            frame.Kind != FrameKind.Runtime && !NativeCalls.IsSystemLayer(frame) && ManagedCalls.StateOf(frame) is null);

    public static SpinSignals Of(ThreadAssessment assessment, RuleContext context)
    {
        ThreadFacts thread = assessment.Thread;
        Known<CpuShare> cpu = CpuShare.Of(thread, context.Snapshot.Target);
        return new SpinSignals(
            thread,
            assessment.State == ThreadActivity.Yielding ? assessment.Frame : null,
            assessment.State == ThreadActivity.Unknown ? null : assessment.State == ThreadActivity.Yielding,
            cpu,
            cpu.TryGet(out CpuShare? share) ? share.IsBusy(context.ProcessCpu) : null);
    }
}
