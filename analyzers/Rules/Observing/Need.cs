namespace HangTriage.Rules.Observing;

/// <summary>What a rule has to see of the facts. Where one of these is a gap, the engine ends the rule as blind: no rule can forget it.</summary>
[Flags]
public enum Need
{
    None = 0,

    /// <summary>The threads with their stacks.</summary>
    Threads = 1 << 0,

    /// <summary>A Windows process; the pattern cannot occur elsewhere.</summary>
    Windows = 1 << 1,

    /// <summary>The loader lock.</summary>
    LoaderLock = 1 << 2,

    /// <summary>The native locks, and who waits for them.</summary>
    NativeLocks = 1 << 3,

    /// <summary>A .NET runtime; the pattern cannot occur without.</summary>
    Managed = 1 << 4,

    /// <summary>The locks of .NET, and who waits for them.</summary>
    ManagedLocks = 1 << 5,

    /// <summary>The tasks that threads are blocked on.</summary>
    Tasks = 1 << 6,

    /// <summary>The hash tables.</summary>
    Collections = 1 << 7,

    /// <summary>The locks of whatever the process has, .NET or Windows.</summary>
    AnyLocks = 1 << 8,
}
