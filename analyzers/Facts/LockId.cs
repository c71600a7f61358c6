namespace HangTriage.Facts;

/// <summary>Names one lock in the target.</summary>
/// <param name="Kind">The kind of lock.</param>
/// <param name="Address">
/// The lock's own address; for a managed lock that of its object; for the load in progress that of the process environment block; for an object of the Windows kernel the value of a
/// handle to it, of which one object can have several.
/// </param>
public sealed record LockId(LockKind Kind, Address Address);
