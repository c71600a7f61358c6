namespace HangTriage.Facts;

/// <summary>One wait of a thread.</summary>
/// <param name="From">When it was switched out, from the window's start.</param>
/// <param name="Length">Until it was readied, or the window's end.</param>
/// <param name="Reason">KWAIT_REASON; a gap where the switch-out is not in the trace.</param>
/// <param name="IsOpen">Nobody readied it before the window's end.</param>
/// <param name="By">Who readied it.</param>
/// <param name="Stack">Where it waits, outermost frame last: the stack of the switch that ended the wait.</param>
public sealed record TraceWait(TimeSpan From, TimeSpan Length, Known<string> Reason, bool IsOpen, Known<TraceReadiedBy> By, Known<IReadOnlyList<string>> Stack)
{
    /// <summary>What its stack means; null where no tag fits it.</summary>
    public string? Tag { get; init; }
}
