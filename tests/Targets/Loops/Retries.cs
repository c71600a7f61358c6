namespace Loops;

/// <summary>Loops that try again until something is so.</summary>
internal static class Retries
{
    private const long Passes = 40_000_000_000;

    private static int s_stock = 5;
    private static bool s_isOpen;
    private static long s_rate;

    public static void Update(bool isEndless)
    {
        for (long pass = 0; pass < Passes; pass++)
        {
            Take(isEndless ? 4 : s_stock);
        }
    }

    // What it compares with was read once, before the loop.
    private static void Take(int seen)
    {
        while (Interlocked.CompareExchange(ref s_stock, seen, seen) != seen)
        {
            Thread.SpinWait(4);
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
        for (long pass = 0; pass < Passes; pass++)
        {
            s_isOpen = !isEndless;
            WaitForOpening();
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
