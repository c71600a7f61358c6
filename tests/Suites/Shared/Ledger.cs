namespace Suites;

/// <summary>What the tests of each framework call: it hangs where the environment says so, and passes otherwise.</summary>
public static class Ledger
{
    private static readonly object s_orders = new();
    private static readonly object s_prices = new();
    private static readonly TaskCompletionSource<int> s_reply = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static string? Hang => Environment.GetEnvironmentVariable("SUITE_HANGS");

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
        Lock(s_orders, s_prices, bothHoldOne);
    }

    /// <summary>Nobody answers, and no thread waits.</summary>
    public static async Task<int> AskAsync() => Hang == "async" ? await s_reply.Task : 0;

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
