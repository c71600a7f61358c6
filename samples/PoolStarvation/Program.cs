using Samples;

namespace PoolStarvation;

/// <summary>Every pool worker waits for a continuation that no worker is left to run. See README.md.</summary>
internal static class Program
{
    private const int Workers = 6;
    private const int Requests = 40;

    private static readonly Device s_device = new();
    private static volatile bool s_asksOnce;
    private static int s_handled;

    private static void Main()
    {
        // Above its minimum the pool adds no worker while other processes keep the machine busy.
        ThreadPool.SetMinThreads(Workers, 1);
        ThreadPool.SetMaxThreads(Workers, Workers);
        Stage.Start("device", s_device.Run);
        Warmth.Up(HandleFew);
        int before = s_device.Answered;
        Queue(Requests);

        // No more workers can come, and each of those that there are waits for one.
        while (ThreadPool.ThreadCount < Workers || s_device.Answered - before < Workers || ThreadPool.PendingWorkItemCount < Requests)
        {
            Thread.Sleep(1);
        }

        ThreadPool.SetMinThreads(2, 1);
        Console.WriteLine($"workers={ThreadPool.ThreadCount} pending={ThreadPool.PendingWorkItemCount} most={Workers}");
        Stage.Ready();
    }

    // So few that a worker is left for what they wait for.
    private static void HandleFew()
    {
        s_asksOnce = true;
        s_handled = 0;
        Queue(Workers / 2);
        SpinWait.SpinUntil(() => Volatile.Read(ref s_handled) == Workers / 2);
        s_asksOnce = false;
    }

    private static void Queue(int requests)
    {
        for (int request = 0; request < requests; request++)
        {
            ThreadPool.QueueUserWorkItem(_ => Handle());
        }
    }

    /// <summary>
    /// Sync over async: blocks a worker until another has run the rest of FetchAsync. Asks again where the answer came before
    /// it was awaited, as it can on a busy machine: every worker blocks in the end.
    /// </summary>
    private static void Handle()
    {
        do
        {
            Console.WriteLine(FetchAsync().Result);
        }
        while (!s_asksOnce);
        Interlocked.Increment(ref s_handled);
    }

    private static async Task<int> FetchAsync() => 1 + await s_device.AskAsync();
}
