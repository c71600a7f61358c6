namespace LockWaits;

/// <summary>A monitor: entered twice by its owner.</summary>
internal sealed class Vault;
