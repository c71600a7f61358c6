namespace TaskLockCycle;

internal sealed class Ledger;
