namespace Suites;

/// <summary>What the tests of each framework call: it hangs where the environment says so, and passes otherwise.</summary>
public static class Ledger
{
    private static readonly object s_orders = new();
    private static readonly object s_prices = new();
    private static readonly TaskCompletionSource<int> s_reply = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static string? Hang => Environment.GetEnvironmentVariable("SUITE_HANGS");

    private static string? Mark => Environment.GetEnvironmentVariable("SUITE_MARK");

    /// <summary>Two threads take two locks in opposite orders; one of them is the test's.</summary>
    public static void Post()
    {
        if (Hang != "sync")
        {
            return;
        }

        using Barrier bothHoldOne = new(2);
        Thread other = new(() => Lock(s_prices, s_orders, bothHoldOne)) { IsBackground = true, Name = "prices" };
        other.Start();
        MarkWhenAllWait(Thread.CurrentThread, other);
        Lock(s_orders, s_prices, bothHoldOne);
    }

    /// <summary>Nobody answers, and no thread waits.</summary>
    public static async Task<int> AskAsync()
    {
        if (Hang != "async")
        {
            return 0;
        }

        WriteMark();
        return await s_reply.Task;
    }

    // Who runs the tests learns by a file that the hang is there.
    private static void MarkWhenAllWait(params Thread[] threads)
    {
        new Thread(() =>
        {
            for (int inARow = 0; inARow < 50;)
            {
                inARow = Array.TrueForAll(threads, thread => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin)) ? inARow + 1 : 0;
                Thread.Sleep(1);
            }

            WriteMark();
        })
        { IsBackground = true, Name = "mark" }.Start();
    }

    private static void WriteMark()
    {
        if (Mark is { } file)
        {
            File.WriteAllText(file, string.Empty);
        }
    }

    private static void Lock(object first, object second, Barrier bothHoldOne)
    {
        lock (first)
        {
            bothHoldOne.SignalAndWait();
            lock (second)
            {
            }
        }
    }
}
