using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>A wait in a primitive that is built on others, and what is known of the object that it is for.</summary>
/// <param name="Lock">What is waited for.</param>
/// <param name="Kind">How.</param>
/// <param name="Facts">The object's state; null where it has none that is read.</param>
internal sealed record PrimitiveWait(LockId Lock, WaitKind Kind, LockFacts? Facts)
{
    /// <summary>For <see cref="WaitKind.Exit"/>: the thread whose end is waited for; null where it has ended or is not known.</summary>
    public ThreadId? TargetThread { get; init; }

    /// <summary>Where one call waits for several objects, which of them it needs; null where it waits for one.</summary>
    public WaitMode? Mode { get; init; }

    /// <summary>For a handle of the system: the object of .NET that has it; null for others.</summary>
    public Address? Handle { get; init; }
}
