namespace LockWaits;

/// <summary>A monitor whose pulse has come: the thread that waited for it waits for the lock.</summary>
internal sealed class Drum;
