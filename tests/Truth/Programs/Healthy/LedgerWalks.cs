namespace Truth.Healthy;

/// <summary>
/// A ledger is added up again and again, entry by entry along its references, under a lock that a second thread wants now and then. Nothing
/// changes the entries any more, and nothing has to: every walk ends by itself.
/// </summary>
internal static class LedgerWalks
{
    private const int Entries = 3_000_000;

    public static void Run()
    {
        Ledger ledger = new();
        for (int entry = 0; entry < Entries; entry++)
        {
            ledger.Book(entry);
        }

        new Thread(() =>
        {
            while (true)
            {
                ledger.Look();
                Thread.Sleep(500);
            }
        })
        { Name = "viewer", IsBackground = true }.Start();
        Ready.When(() => ledger.Walks > 1);
        while (true)
        {
            ledger.Add();
        }
    }

    private sealed class Ledger
    {
        private readonly Lock _lock = new();
        private Entry? _last;
        private long _sum;
        private int _walks;

        public int Walks => Volatile.Read(ref _walks);

        public void Book(long amount) => _last = new Entry(amount) { Before = _last };

        public void Look()
        {
            lock (_lock)
            {
                _ = _sum;
            }
        }

        public void Add()
        {
            lock (_lock)
            {
                long sum = 0;
                for (Entry? entry = _last; entry is not null; entry = entry.Before)
                {
                    sum ^= entry.Amount;
                }

                _sum = sum;
            }

            Interlocked.Increment(ref _walks);
        }
    }

    private sealed record Entry(long Amount)
    {
        public Entry? Before { get; init; }
    }
}
