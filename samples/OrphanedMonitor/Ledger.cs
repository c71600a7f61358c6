namespace OrphanedMonitor;

internal sealed class Ledger
{
    public bool IsClosed { get; init; }
}
