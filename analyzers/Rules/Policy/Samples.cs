namespace HangTriage.Rules.Policy;

/// <summary>What earlier samples of the process say of the threads that matter.</summary>
public enum Samples
{
    /// <summary>There is no earlier sample, or it does not show these threads.</summary>
    One,

    /// <summary>They were at the same place and have not worked since.</summary>
    Stayed,

    /// <summary>One of them was elsewhere, or has worked since.</summary>
    Moved,

    /// <summary>Another thread held a lock of it at the place where its owner is now, and has released it: rows for <see cref="Moved"/> fit, too.</summary>
    PassedOn,
}
