namespace MonitorDeadlock;

internal sealed class OrderBook;
