namespace HangTriage.Facts;

/// <summary>How a fact is known.</summary>
public enum Trust
{
    /// <summary>Read from the target at a place that its format or layout defines.</summary>
    Read,

    /// <summary>Computed from facts that were read (unwound frames, sums, joins).</summary>
    Derived,

    /// <summary>Guessed from stack words or registers that happen to fit.</summary>
    Scanned,

    /// <summary>Read through a layout that is not verified for this target, or taken from elsewhere: the time of a dump's file.</summary>
    Assumed,
}
