namespace HangTriage.Facts;

/// <summary>What a thread did in the time around the capture (<see cref="Thresholds.AroundCapture"/> before it and after it).</summary>
/// <param name="Length">The whole time.</param>
/// <param name="Running">How long it ran in it.</param>
/// <param name="Switches">How often it was switched in within it.</param>
/// <param name="LongestWait">The longest part of it for which it waited without a break; waits in which it was only suspended are left out: who writes a dump makes them.</param>
public sealed record TraceAround(TimeSpan Length, TimeSpan Running, long Switches, TimeSpan LongestWait)
{
    /// <summary>It worked, or waited anew again and again, and no wait of it lasted: it was not blocked when the capture was taken.</summary>
    public bool HasRun
        => LongestWait < Thresholds.WaitAroundCapture
            && ((Running >= Thresholds.LeastWork && Running >= Length * Thresholds.LeastWorkShare) || Switches >= Thresholds.TurnsAroundCapture);
}
