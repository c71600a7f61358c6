namespace Truth.Hung;

/// <summary>A home-made spin lock was taken by a thread that failed inside and has ended; two threads spin for it.</summary>
internal static class SpinLockOwnerEnded
{
    public static void Run()
    {
        PriceTable prices = new();
        Thread loader = new(prices.Load) { Name = "loader" };
        loader.Start();
        loader.Join();
        Thread[] importers = [.. Enumerable.Range(1, 2).Select(number => new Thread(prices.Add) { Name = $"importer-{number}" })];
        foreach (Thread importer in importers)
        {
            importer.Start();
        }

        Ready.When(() => prices.Spins > 1000);
        importers[0].Join();
    }

    private sealed class SpinGate
    {
        private int _taken;
        private long _spins;

        public long Spins => Volatile.Read(ref _spins);

        public void Enter()
        {
            while (Interlocked.CompareExchange(ref _taken, 1, 0) != 0)
            {
                Interlocked.Increment(ref _spins);
                Thread.Yield();
            }
        }

        public void Exit() => Volatile.Write(ref _taken, 0);
    }

    private sealed class PriceTable
    {
        private readonly SpinGate _gate = new();
        private readonly List<int> _prices = [];

        public long Spins => _gate.Spins;

        public void Load()
        {
            try
            {
                _gate.Enter();
                _prices.Add(int.Parse("n/a", System.Globalization.CultureInfo.InvariantCulture));
                _gate.Exit();
            }
            catch (FormatException e)
            {
                Console.WriteLine(e.Message);
            }
        }

        public void Add()
        {
            _gate.Enter();
            _prices.Add(1);
            _gate.Exit();
        }
    }
}
