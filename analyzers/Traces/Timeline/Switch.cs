namespace HangTriage.Traces.Timeline;

/// <summary>A context switch.</summary>
/// <param name="Stamp">The event's time in the trace's own clock, by which stacks name it.</param>
/// <param name="Processor">Where it was.</param>
/// <param name="New">The thread that runs now; 0 for an idle thread.</param>
/// <param name="Old">The thread that ran until now; 0 for an idle thread.</param>
/// <param name="NewPriority">Of the new thread.</param>
/// <param name="OldRank">Of the old thread; null where it is not recorded.</param>
/// <param name="OldReason">Why the old thread stops running.</param>
/// <param name="IsOldReady">The old thread could run on: it was preempted, or yields.</param>
internal readonly record struct Switch(long Stamp, int Processor, uint New, uint Old, int NewPriority, int? OldRank, string OldReason, bool IsOldReady)
{
    /// <summary>Of the old thread; null where it is not recorded.</summary>
    public int? OldPriority { get; init; }
}
