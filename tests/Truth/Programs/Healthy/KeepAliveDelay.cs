namespace Truth.Healthy;

/// <summary>The first thread keeps the process alive with Task.Delay(-1); timers do the work.</summary>
internal static class KeepAliveDelay
{
    private static int s_beats;

    public static async Task RunAsync()
    {
        using Timer heartbeat = new(_ => Interlocked.Increment(ref s_beats), null, 0, 100);
        Ready.When(() => Volatile.Read(ref s_beats) > 2);
        await Task.Delay(-1);
    }
}
