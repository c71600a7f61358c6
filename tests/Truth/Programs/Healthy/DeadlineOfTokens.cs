namespace Truth.Healthy;

/// <summary>A lock is taken for long; who wants it gives up after a minute and a half, by a token that is linked to another with that deadline.</summary>
internal static class DeadlineOfTokens
{
    private static readonly SemaphoreSlim s_gate = new(1, 1);

    public static async Task RunAsync()
    {
        await s_gate.WaitAsync();
        using CancellationTokenSource stop = new();
        using CancellationTokenSource deadline = new(TimeSpan.FromSeconds(90));
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(stop.Token, deadline.Token);
        using CancellationTokenSource inner = CancellationTokenSource.CreateLinkedTokenSource(either.Token);
        bool waits = false;
        Ready.WhenStill(() => Volatile.Read(ref waits));
        Volatile.Write(ref waits, true);
        await TryFillAsync(inner.Token);
    }

    private static async Task TryFillAsync(CancellationToken cancellation)
    {
        try
        {
            await s_gate.WaitAsync(cancellation);
            try
            {
                await Task.Delay(100, cancellation);
            }
            finally
            {
                s_gate.Release();
            }
        }
        catch (OperationCanceledException)
        {
            Console.WriteLine("not today");
        }
    }
}
