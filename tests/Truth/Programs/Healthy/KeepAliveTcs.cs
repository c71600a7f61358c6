namespace Truth.Healthy;

/// <summary>The first thread awaits a TaskCompletionSource that Ctrl+C or the end of the process completes.</summary>
internal static class KeepAliveTcs
{
    private static int s_polls;

    public static async Task RunAsync()
    {
        TaskCompletionSource shutdown = new();
        Console.CancelKeyPress += (_, e) =>
        {
            e.Cancel = true;
            shutdown.TrySetResult();
        };
        AppDomain.CurrentDomain.ProcessExit += (_, _) => shutdown.TrySetResult();
        Task poll = PollAsync(shutdown.Task);
        Ready.When(() => Volatile.Read(ref s_polls) > 2);
        await shutdown.Task;
        await poll;
    }

    private static async Task PollAsync(Task shutdown)
    {
        while (!shutdown.IsCompleted)
        {
            Interlocked.Increment(ref s_polls);
            await Task.Delay(100);
        }
    }
}
