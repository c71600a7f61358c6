namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>What the thread does that owns the loader lock.</summary>
public enum RealCaseAOwner
{
    /// <summary>It calls SwitchToThread in a loop in a DLL's thread-detach code.</summary>
    Spins,

    /// <summary>It waits for an event there and has burned no CPU.</summary>
    WaitsForEvent,

    /// <summary>It has exited: no thread has the id that the section names.</summary>
    Gone,
}
