namespace Truth.Healthy;

/// <summary>
/// Three clerks wait for a pulse at their lots, which a timer of each lot closes after six minutes; Main waits for the count of the lots
/// that are settled, which each clerk counts down however he leaves.
/// </summary>
internal static class ClerksAtClose
{
    private static readonly TimeSpan s_open = TimeSpan.FromMinutes(6);

    public static void Run()
    {
        Office office = new(lots: 3);
        Thread[] clerks = [.. Enumerable.Range(0, 3).Select(number => new Thread(office.Settle) { Name = $"clerk {number}" })];
        Array.ForEach(clerks, clerk => clerk.Start());
        Ready.WhenAtRest(static () => true, clerks);
        office.Close();
    }

    private sealed class Lot
    {
        private readonly object _floor = new();
        private readonly Timer _closing;
        private bool _isClosed;

        public Lot() => _closing = new Timer(_ => Close(), null, s_open, Timeout.InfiniteTimeSpan);

        public void WaitUntilClosed()
        {
            lock (_floor)
            {
                while (!_isClosed)
                {
                    Monitor.Wait(_floor);
                }
            }

            _closing.Dispose();
        }

        private void Close()
        {
            lock (_floor)
            {
                _isClosed = true;
                Monitor.PulseAll(_floor);
            }
        }
    }

    private sealed class Office(int lots)
    {
        private readonly CountdownEvent _settled = new(lots);

        public void Settle()
        {
            try
            {
                Lot lot = new();
                lot.WaitUntilClosed();
            }
            finally
            {
                _settled.Signal();
            }
        }

        public void Close() => _settled.Wait();
    }
}
