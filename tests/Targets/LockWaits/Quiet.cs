namespace LockWaits;

/// <summary>A monitor: held, and nobody waits for it: no sync block is made.</summary>
internal sealed class Quiet;
