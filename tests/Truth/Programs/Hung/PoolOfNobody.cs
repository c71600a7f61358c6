using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>A pool of links loses each link on which a call fails; the next call waits for one, with a token that nobody cancels.</summary>
internal static class PoolOfNobody
{
    private const int Links = 2;

    public static async Task RunAsync()
    {
        LinkPool pool = new(Links);
        using CancellationTokenSource source = new();
        Ready.WhenStill(() => pool.IsWaitedFor);
        for (int article = 0; article < 10; article++)
        {
            try
            {
                await CountAsync(pool, article, source.Token);
            }
            catch (InvalidDataException)
            {
                // The article is unknown: on to the next.
            }
        }
    }

    private static async Task CountAsync(LinkPool pool, int article, CancellationToken cancellation)
    {
        object link = await pool.RentAsync(cancellation);
        await Task.Yield();
        pool.Return(article < 10 ? throw new InvalidDataException($"article {article}") : link);
    }

    private sealed class LinkPool(int links)
    {
        private readonly ConcurrentQueue<TaskCompletionSource<object>> _waiting = new();
        private int _left = links;

        public bool IsWaitedFor => !_waiting.IsEmpty;

        public Task<object> RentAsync(CancellationToken cancellation)
        {
            if (Interlocked.Decrement(ref _left) >= 0)
            {
                return Task.FromResult(new object());
            }

            TaskCompletionSource<object> next = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue(next);
            return next.Task.WaitAsync(cancellation);
        }

        public void Return(object link)
        {
            if (_waiting.TryDequeue(out TaskCompletionSource<object>? next))
            {
                next.SetResult(link);
            }
        }
    }
}
