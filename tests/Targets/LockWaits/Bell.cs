namespace LockWaits;

/// <summary>A monitor: free, but waited on for a pulse.</summary>
internal sealed class Bell;
