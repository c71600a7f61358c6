namespace Truth.Healthy;

/// <summary>
/// Six callers ask a desk that answers nobody, each with a token of three minutes that the desk registers its promise with: they end by
/// that, though none of them has the source in a variable of its own.
/// </summary>
internal static class LimitOfCaller
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    public static async Task RunAsync()
    {
        Desk desk = new();
        Task[] asked = [.. Enumerable.Range(0, 6).Select(caller => CallAsync(desk, caller))];
        Task count = CountAsync(desk);
        Ready.When(() => desk.Asked == 6);
        await Task.WhenAll(asked);
        await count;
    }

    private static async Task CallAsync(Desk desk, int caller)
    {
        try
        {
            await desk.AskAsync(caller, Limits.Of(s_limit));
        }
        catch (OperationCanceledException)
        {
            Console.WriteLine($"{caller} asks elsewhere");
        }
    }

    private static async Task CountAsync(Desk desk)
    {
        while (desk.Open > 0)
        {
            await Task.Delay(s_pause);
        }
    }

    private static class Limits
    {
        public static CancellationToken Of(TimeSpan limit) => new CancellationTokenSource(limit).Token;
    }

    private sealed class Desk
    {
        private readonly Dictionary<int, TaskCompletionSource<string>> _open = [];
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public int Open
        {
            get
            {
                lock (_open)
                {
                    return _open.Values.Count(answer => !answer.Task.IsCompleted);
                }
            }
        }

        public async Task<string> AskAsync(int caller, CancellationToken cancellation)
        {
            TaskCompletionSource<string> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_open)
            {
                _open.Add(caller, answer);
            }

            cancellation.Register(() => answer.TrySetCanceled(cancellation));
            Interlocked.Increment(ref _asked);
            return await answer.Task;
        }
    }
}
