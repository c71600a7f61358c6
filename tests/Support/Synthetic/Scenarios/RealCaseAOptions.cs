namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>How a <see cref="RealCaseA"/> differs from what was really met. The defaults are the real values.</summary>
public sealed record RealCaseAOptions
{
    /// <summary>What thread 107 does.</summary>
    public RealCaseAVictim Victim { get; init; } = RealCaseAVictim.WaitsForLoadOwner;

    /// <summary>What thread 114 does.</summary>
    public RealCaseAOwner Owner { get; init; } = RealCaseAOwner.Spins;

    /// <summary>False: nobody holds the loader lock.</summary>
    public bool IsHeld { get; init; } = true;

    /// <summary>The raw LockCount; null for what Windows 10 writes for this state. Wine writes 0, 1 and up.</summary>
    public int? LockCount { get; init; }

    /// <summary>The owner's TEB.SameTebFlags has LoadOwner.</summary>
    public bool OwnerHasLoadOwnerFlag { get; init; }

    /// <summary>Thread 108 is the load owner (TEB.SameTebFlags) and waits for the loader-lock section.</summary>
    public bool HasOtherLoadOwner { get; init; }

    /// <summary>False leaves the ThreadInfoList stream out.</summary>
    public bool HasCpuTimes { get; init; } = true;

    /// <summary>False leaves all stacks out of the dump's memory.</summary>
    public bool HasStacks { get; init; } = true;

    /// <summary>False leaves all of the images but their data out, as in small dumps: no code, no exports, no unwind data.</summary>
    public bool HasImages { get; init; } = true;
}
