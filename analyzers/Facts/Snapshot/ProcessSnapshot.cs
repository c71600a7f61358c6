namespace HangTriage.Facts;

/// <summary>
/// All that was read of one process at one instant: immutable, without handles, and without the contents of strings,
/// environment or command line. A section that is null does not exist in such a target (a Linux process has no loader
/// lock); a section that is a gap exists, or may, and was not seen.
/// </summary>
public sealed record ProcessSnapshot
{
    public required TargetFacts Target { get; init; }

    public required Known<IReadOnlyList<ModuleFacts>> Modules { get; init; }

    public required Known<IReadOnlyList<ThreadFacts>> Threads { get; init; }

    /// <summary>Null where the target is not Windows.</summary>
    public WindowsFacts? Windows { get; init; }

    /// <summary>Null where the process is known to run no .NET.</summary>
    public Known<ManagedFacts>? Managed { get; init; }

    /// <summary>What is missing because the reading was stopped before its end; null where it was not.</summary>
    public Gap? Stopped { get; init; }

    /// <summary>What else could not be seen, beyond the gaps that stand in the place of their fact.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }
}
