using System.Text.Json.Serialization;

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

    /// <summary>Null where the target is not Linux, or where its source does not tell the system calls of its threads.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LinuxFacts? Linux { get; init; }

    /// <summary>The locks of the system that threads wait for or hold; null where the target's system has none that are read.</summary>
    [JsonIgnore]
    public Known<IReadOnlyList<LockFacts>>? NativeLocks => Windows?.Locks ?? Linux?.Locks;

    /// <summary>The threads' waits for locks and objects of the system; null as with <see cref="NativeLocks"/>.</summary>
    [JsonIgnore]
    public Known<IReadOnlyList<WaitFacts>>? NativeWaits => Windows?.Waits ?? Linux?.Waits;

    /// <summary>Null where the process is known to run no .NET.</summary>
    public Known<ManagedFacts>? Managed { get; init; }

    /// <summary>What is missing because the reading was stopped before its end; null where it was not.</summary>
    public Gap? Stopped { get; init; }

    /// <summary>What else could not be seen, beyond the gaps that stand in the place of their fact.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }
}
