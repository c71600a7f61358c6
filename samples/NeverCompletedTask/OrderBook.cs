namespace NeverCompletedTask;

internal sealed class OrderBook;
