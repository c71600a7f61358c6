namespace CallbackWait;

/// <summary>A cache that a timer trims.</summary>
internal sealed class Cache : IDisposable
{
    private readonly object _gate = new();
    private readonly ManualResetEventSlim _closing = new();
    private readonly Timer _timer;

    public Cache() => _timer = new Timer(_ => Trim(), null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);

    /// <summary>The thread that trims.</summary>
    public volatile Thread? Trimmer;

    /// <summary>Waits under the lock until the timer's callback has ended, which needs the lock.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _closing.Set();
            while (Trimmer is null)
            {
                Thread.Yield();
            }

            using ManualResetEvent ended = new(false);
            _timer.Dispose(ended);
            ended.WaitOne();
        }

        _closing.Dispose();
    }

    private void Trim()
    {
        // Close has the lock when it ends.
        _closing.Wait();
        Trimmer = Thread.CurrentThread;
        lock (_gate)
        {
            Console.WriteLine("never printed");
        }
    }
}
