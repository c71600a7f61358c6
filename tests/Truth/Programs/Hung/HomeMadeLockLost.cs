namespace Truth.Hung;

/// <summary>A lock in the method that it guards was taken by Main, which failed inside; Main then waits for two threads that spin for it.</summary>
internal static class HomeMadeLockLost
{
    public static void Run()
    {
        Ledger ledger = new();
        try
        {
            ledger.Post(-1);
        }
        catch (ArgumentOutOfRangeException e)
        {
            Console.WriteLine(e.Message);
        }

        Thread[] tellers = [.. Enumerable.Range(1, 2).Select(number => new Thread(() => ledger.Post(number)) { Name = $"teller-{number}" })];
        foreach (Thread teller in tellers)
        {
            teller.Start();
        }

        Ready.WhenAtRest(() => ledger.Tries > 1000, Thread.CurrentThread);
        tellers[0].Join();
    }

    private sealed class Ledger
    {
        private int _taken;
        private int _sum;
        private long _tries;

        public long Tries => Volatile.Read(ref _tries);

        public void Post(int amount)
        {
            SpinWait spin = default;
            while (Interlocked.CompareExchange(ref _taken, 1, 0) != 0)
            {
                Interlocked.Increment(ref _tries);
                spin.SpinOnce();
            }

            ArgumentOutOfRangeException.ThrowIfNegative(amount);
            _sum += amount;
            Volatile.Write(ref _taken, 0);
        }
    }
}
