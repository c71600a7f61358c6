namespace Truth.Healthy;

/// <summary>Main awaits the end of a session, which Ctrl+C cancels; a timer does the work.</summary>
internal static class TokenOfConsole
{
    public static async Task RunAsync()
    {
        using CancellationTokenSource source = new();
        Console.CancelKeyPress += (_, pressed) =>
        {
            pressed.Cancel = true;
            source.Cancel();
        };
        int polls = 0;
        await using Timer work = new(_ => Interlocked.Increment(ref polls), null, TimeSpan.Zero, TimeSpan.FromMilliseconds(200));
        Ready.When(() => Volatile.Read(ref polls) > 1);
        await RunSessionAsync(source.Token);
    }

    private static async Task RunSessionAsync(CancellationToken cancellation) => await new TaskCompletionSource().Task.WaitAsync(cancellation);
}
