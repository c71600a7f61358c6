namespace Truth.Healthy;

/// <summary>Main waits for an event that the handler of the process's end sets.</summary>
internal static class ExitHandler
{
    public static void Run()
    {
        using ManualResetEventSlim stop = new();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => stop.Set();
        Thread main = Thread.CurrentThread;
        Ready.When(() => (main.ThreadState & ThreadState.WaitSleepJoin) != 0);
        stop.Wait();
    }
}
