namespace Truth.Hung;

/// <summary>
/// A timer measures a silo under its lock; the drain waits, under the same lock, for the level that only a measurement reports.
/// </summary>
internal static class LevelOfTicks
{
    private static readonly Silo s_silo = new();

    public static void Run()
    {
        Thread drain = new(s_silo.Drain) { Name = "drain", IsBackground = true };
        drain.Start();
        SpinWait.SpinUntil(() => s_silo.IsDraining);
        using Timer measures = new(_ => s_silo.Measure(), null, 0, 40);
        Ready.When(() => s_silo.Begun >= 4);
        drain.Join();
    }

    private sealed class Silo
    {
        private readonly Lock _sync = new();
        private readonly ManualResetEventSlim _isFull = new();
        private volatile bool _isDraining;
        private int _begun;
        private int _level;

        public bool IsDraining => _isDraining;

        public int Begun => Volatile.Read(ref _begun);

        public void Measure()
        {
            Interlocked.Increment(ref _begun);
            lock (_sync)
            {
                if (++_level % 3 == 0)
                {
                    _isFull.Set();
                }
            }
        }

        public void Drain()
        {
            lock (_sync)
            {
                _isDraining = true;
                _isFull.Wait();
                _level = 0;
            }
        }
    }
}
