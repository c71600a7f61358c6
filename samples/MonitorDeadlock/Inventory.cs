namespace MonitorDeadlock;

internal sealed class Inventory;
