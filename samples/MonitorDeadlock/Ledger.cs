namespace MonitorDeadlock;

internal sealed class Ledger;
