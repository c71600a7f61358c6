using Samples;

namespace Truth;

/// <summary>Says READY when the state that a program is for is there, and not before, from a thread that ends with that.</summary>
internal static class Ready
{
    private const int Looks = 60;
    private const int BetweenLooks = 5;

    /// <summary>When the condition held at every look in a row.</summary>
    public static void When(Func<bool> condition) => Start(condition, static () => 0);

    /// <summary>When the condition held at every look in a row, and the thread pool ran nothing in between.</summary>
    public static void WhenStill(Func<bool> condition) => Start(condition, static () => ThreadPool.CompletedWorkItemCount);

    /// <summary>When these threads wait, look after look, and the condition holds.</summary>
    public static void WhenAtRest(Func<bool> condition, params Thread[] threads)
        => When(() => threads.All(ThreadRest.IsAtRest) && condition());

    private static void Start(Func<bool> condition, Func<long> progress)
    {
        Thread announcer = new(() => Announce(condition, progress)) { Name = "announcer", IsBackground = true };
        announcer.Start();
    }

    private static void Announce(Func<bool> condition, Func<long> progress)
    {
        long last = progress();
        for (int inARow = 0; inARow < Looks;)
        {
            Thread.Sleep(BetweenLooks);
            long now = progress();
            inARow = now == last && condition() ? inARow + 1 : 0;
            last = now;
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
    }
}
