namespace Truth.Hung;

/// <summary>Two threads hold a lock each and try for the other's forever, with a timeout that they ignore.</summary>
internal static class TryEnterLivelock
{
    private static int s_tries;

    public static void Run()
    {
        Warehouse warehouse = new();
        using Barrier both = new(2);
        Thread orders = new(() => warehouse.Reserve(both)) { Name = "order-writer" };
        Thread stock = new(() => warehouse.Restock(both)) { Name = "stock-writer" };
        orders.Start();
        stock.Start();
        Ready.When(() => Volatile.Read(ref s_tries) > 20);
        orders.Join();
        stock.Join();
    }

    private sealed class Warehouse
    {
        private readonly object _orders = new();
        private readonly object _stock = new();

        public void Reserve(Barrier both)
        {
            lock (_orders)
            {
                both.SignalAndWait();
                EnterAnyhow(_stock);
                Monitor.Exit(_stock);
            }
        }

        public void Restock(Barrier both)
        {
            lock (_stock)
            {
                both.SignalAndWait();
                EnterAnyhow(_orders);
                Monitor.Exit(_orders);
            }
        }

        private static void EnterAnyhow(object gate)
        {
            while (!Monitor.TryEnter(gate, TimeSpan.FromMilliseconds(20)))
            {
                Interlocked.Increment(ref s_tries);
            }
        }
    }
}
