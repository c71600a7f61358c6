using System.Collections.Concurrent;

namespace Truth.Healthy;

/// <summary>
/// Three workers take turns at a queue in which an order comes every three seconds: who has the turn waits for it under a lock of the
/// program's own make, and the others for the turn.
/// </summary>
internal static class TakersInTurn
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(3);

    public static void Run()
    {
        Shop shop = new();
        Thread[] workers = [.. Enumerable.Range(0, 3).Select(number => new Thread(shop.Work) { Name = $"worker {number}" })];
        Array.ForEach(workers, worker => worker.Start());
        using Timer desk = new(_ => shop.Order(), null, s_pause, s_pause);
        Ready.WhenAtRest(static () => true, workers);
        Array.ForEach(workers, worker => worker.Join());
    }

    private sealed class Shop
    {
        private readonly BlockingCollection<int> _orders = [];
        private readonly Turn _turn = new();

        public void Order() => _orders.Add(1);

        public void Work()
        {
            while (true)
            {
                Console.WriteLine(Next());
            }
        }

        private int Next()
        {
            using (_turn.Take())
            {
                return _orders.Take();
            }
        }
    }

    private sealed class Turn : IDisposable
    {
        private readonly object _sync = new();

        public Turn Take()
        {
            Monitor.Enter(_sync);
            return this;
        }

        public void Dispose() => Monitor.Exit(_sync);
    }
}
