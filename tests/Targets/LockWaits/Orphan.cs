namespace LockWaits;

/// <summary>A monitor: held by a thread that has ended.</summary>
internal sealed class Orphan;
