namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>What the thread does that LoadLibrary does not return to.</summary>
public enum RealCaseAVictim
{
    /// <summary>It waits in the parallel loader for the load owner; nothing in its TEB says so.</summary>
    WaitsForLoadOwner,

    /// <summary>It waits for the loader-lock section itself: WaitingOnLoaderLock is 1 and LockCount -6.</summary>
    WaitsForSection,

    /// <summary>It is an idle thread like the others: nobody is in the loader.</summary>
    None,
}
