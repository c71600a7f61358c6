namespace Loops;

/// <summary>Loops that try again until something is so.</summary>
internal static class Retries
{
    private const long Passes = 40_000_000_000;

    private static readonly int s_first = 4;

    private static int s_stock = 5;
    private static bool s_isOpen;
    private static long s_rate;

    public static void Update(bool isEndless)
    {
        for (long pass = 0; pass < Passes; pass++)
        {
            Take(isEndless);
        }
    }

    // What it compares with is read once, before the loop, and not again.
    private static void Take(bool isStale)
    {
        int seen = s_first;
        while (true)
        {
            if (!isStale)
            {
                seen = s_stock;
            }

            if (Interlocked.CompareExchange(ref s_stock, seen + 1, seen) == seen)
            {
                return;
            }
        }
    }

    public static void Call(bool isEndless)
    {
        for (long pass = 0; pass < Passes; pass++)
        {
            Send(isEndless ? long.MaxValue : pass + 3);
        }
    }

    private static void Send(long works)
    {
        for (long attempt = 0; ; attempt++)
        {
            try
            {
                Post(attempt, works);
                return;
            }
            catch (InvalidOperationException)
            {
                s_rate++;
            }
        }
    }

    private static void Post(long attempt, long works)
    {
        if (attempt < works)
        {
            throw new InvalidOperationException("the counter is closed");
        }
    }

    public static void Watch(bool isEndless)
    {
        if (!isEndless)
        {
            new Thread(Open) { Name = "opener", IsBackground = true }.Start();
        }

        for (long pass = 0; pass < Passes; pass++)
        {
            WaitForOpening();
            s_isOpen = false;
        }
    }

    private static void Open()
    {
        for (long opening = 0; opening < Passes; opening++)
        {
            s_isOpen = true;
            Thread.Sleep(3);
        }
    }

    private static void WaitForOpening()
    {
        while (!s_isOpen)
        {
            s_rate++;
        }
    }
}
