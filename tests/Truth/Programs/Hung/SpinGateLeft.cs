namespace Truth.Hung;

/// <summary>A lock of spinning threads that was not left behind an exception. Whoever comes spins, and Main waits for them.</summary>
internal static class SpinGateLeft
{
    private static volatile bool s_failed;

    public static void Run()
    {
        Readings readings = new();
        Thread[] lines = [.. Enumerable.Range(1, 3).Select(number => new Thread(() => Poll(readings, number)) { Name = $"line {number}" })];
        foreach (Thread line in lines)
        {
            line.Start();
        }

        Ready.When(() => s_failed && readings.Waiting == lines.Length);
        foreach (Thread line in lines)
        {
            line.Join();
        }
    }

    private static void Poll(Readings readings, int line)
    {
        for (int round = 0; ; round++)
        {
            try
            {
                readings.Report($"line {line}", line == 2 && round == 40 ? double.NaN : 20 + (round % 5));
            }
            catch (ArgumentException)
            {
                s_failed = true;
            }

            Thread.Sleep(1);
        }
    }

    private sealed class Readings
    {
        private readonly Dictionary<string, double> _last = [];
        private SpinGate _gate;
        private int _waiting;

        public int Waiting => Volatile.Read(ref _waiting);

        public void Report(string sensor, double value)
        {
            Interlocked.Increment(ref _waiting);
            _gate.Enter();
            Interlocked.Decrement(ref _waiting);
            if (double.IsNaN(value))
            {
                throw new ArgumentException("no value");
            }

            _last[sensor] = value;
            _gate.Leave();
        }
    }

    private struct SpinGate
    {
        private int _taken;

        public void Enter()
        {
            while (Interlocked.CompareExchange(ref _taken, 1, 0) != 0)
            {
                Thread.SpinWait(30);
            }
        }

        public void Leave() => Volatile.Write(ref _taken, 0);
    }
}
