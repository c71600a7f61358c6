using Samples;

namespace NeverCompletedTask;

/// <summary>A thread waits for an answer that nobody is left to give, and another waits for its lock. See README.md.</summary>
internal static class Program
{
    private static readonly OrderBook s_orders = new();
    private static readonly Mailbox s_mailbox = new();
    private static volatile bool s_asks;

    private static void Main()
    {
        Warmth.Up(ConfirmAndReport);
        Thread worker = new(Confirm) { Name = "order-worker", IsBackground = true };
        Thread reporter = new(Report) { Name = "reporter", IsBackground = true };
        worker.Start();
        WaitUntil(() => s_mailbox.Asked == 1 && ThreadRest.IsAtRest(worker));
        reporter.Start();
        WaitUntil(() => s_asks && ThreadRest.IsAtRest(reporter));

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void ConfirmAndReport()
    {
        s_mailbox.IsOpen = true;
        Warmth.Join(Stage.Start("order-worker", Confirm), Stage.Start("reporter", Report));
        s_mailbox.IsOpen = false;
        s_asks = false;
    }

    private static void Confirm()
    {
        lock (s_orders)
        {
            Console.WriteLine($"never printed: {ConfirmAsync().Result}");
        }
    }

    private static async Task<int> ConfirmAsync()
    {
        string answer = await s_mailbox.AskAsync("is it paid?");
        return answer.Length;
    }

    private static void Report()
    {
        s_asks = true;
        lock (s_orders)
        {
            Console.WriteLine("never printed");
        }
    }

    private static void WaitUntil(Func<bool> condition)
    {
        while (!condition())
        {
            Thread.Yield();
        }
    }
}
