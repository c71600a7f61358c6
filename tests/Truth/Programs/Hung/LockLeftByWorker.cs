using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// A worker takes the stock's lock for an order and does not give it back where the order is refused by an exception, which its loop
/// catches; it waits for the next order, and two counters wait for the lock.
/// </summary>
internal static class LockLeftByWorker
{
    private static readonly BlockingCollection<int> s_orders = [];
    private static int s_refused;

    public static void Run()
    {
        Stock stock = new();
        Thread worker = new(() => Work(stock)) { Name = "worker", IsBackground = true };
        worker.Start();
        s_orders.Add(7);
        s_orders.Add(-1);
        SpinWait.SpinUntil(() => Volatile.Read(ref s_refused) == 1);
        Thread[] counters =
            [.. Enumerable.Range(0, 2).Select(number => new Thread(() => Print(stock)) { Name = $"counter {number}" })];
        Array.ForEach(counters, counter => counter.Start());
        Ready.WhenAtRest(static () => true, [worker, .. counters]);
        Array.ForEach(counters, counter => counter.Join());
    }

    private static void Work(Stock stock)
    {
        foreach (int order in s_orders.GetConsumingEnumerable())
        {
            Take(stock, order);
        }
    }

    private static void Print(Stock stock) => Console.WriteLine(stock.Count());

    private static void Take(Stock stock, int order)
    {
        try
        {
            stock.Take(order);
        }
        catch (ArgumentOutOfRangeException)
        {
            Interlocked.Increment(ref s_refused);
        }
    }

    private sealed class Stock
    {
        private readonly object _sync = new();
        private int _left = 100;

        public void Take(int pieces)
        {
            Monitor.Enter(_sync);
            ArgumentOutOfRangeException.ThrowIfNegative(pieces);
            _left -= pieces;
            Monitor.Exit(_sync);
        }

        public int Count()
        {
            lock (_sync)
            {
                return _left;
            }
        }
    }
}
