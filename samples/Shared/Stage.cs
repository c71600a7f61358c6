namespace Samples;

/// <summary>Starts the named threads of a sample, and says READY when those that shall hang do so for good.</summary>
internal static class Stage
{
    /// <summary>Starts a thread that does not keep the process alive.</summary>
    public static Thread Start(string name, ThreadStart run)
    {
        Thread thread = new(run) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }

    /// <summary>
    /// Prints READY when these threads wait, and never returns.
    /// </summary>
    public static void ReadyWhenAllWait(params Thread[] threads)
    {
        ThreadRest.Await(() => threads.All(ThreadRest.IsAtRest));
        Ready();
    }

    /// <summary>Prints READY, from a thread of its own, when the caller waits.</summary>
    public static void ReadyWhenCallerWaits()
    {
        Thread caller = Thread.CurrentThread;
        _ = Start("announcer", () => ReadyWhenAllWait(caller));
    }

    /// <summary>Prints READY and never returns.</summary>
    public static void Ready()
    {
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
