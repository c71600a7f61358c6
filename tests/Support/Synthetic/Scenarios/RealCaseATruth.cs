namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>What is true of a <see cref="RealCaseA"/>, to be compared with what is found.</summary>
public sealed record RealCaseATruth
{
    public required ulong LoaderLock { get; init; }

    public required SyntheticCriticalSection Section { get; init; }

    /// <summary>What the section names as its owner; null where it is free.</summary>
    public required uint? Owner { get; init; }

    /// <summary>Null where nobody waits.</summary>
    public required uint? Victim { get; init; }

    /// <summary>The CPU time that the owner has burned; null where there is no owner among the threads.</summary>
    public required TimeSpan? OwnerCpu { get; init; }

    public required TimeSpan ProcessAge { get; init; }

    /// <summary>The frames of every thread by its id, the innermost first.</summary>
    public required IReadOnlyDictionary<uint, IReadOnlyList<ExpectedFrame>> Frames { get; init; }
}
