namespace Truth.Healthy;

/// <summary>
/// Five orders wait for a kitchen that is behind, each by a request with a timer of its own, which fails what waits for its answer: over a
/// table of handlers, of which none is known by its type.
/// </summary>
internal static class TimersOfRequests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(4);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(300);

    private interface IHandler
    {
        void Fail(Exception why);
    }

    public static async Task RunAsync()
    {
        Board board = new();
        Task[] orders = [.. Enumerable.Range(0, 5).Select(table => OrderAsync(board, table))];
        Task cook = CookAsync(board);
        Ready.When(() => board.Open == 5);
        await Task.WhenAll(orders);
        await cook;
    }

    private static async Task OrderAsync(Board board, int table)
    {
        try
        {
            Console.WriteLine(await board.AskAsync(table));
        }
        catch (TimeoutException)
        {
            Console.WriteLine($"table {table} leaves");
        }
    }

    private static async Task CookAsync(Board board)
    {
        while (board.Open > 0)
        {
            await Task.Delay(s_pause);
        }
    }

    private sealed record Meal(string Dish);

    private sealed class Board
    {
        private int _open;

        public int Open => Volatile.Read(ref _open);

        public async Task<Meal> AskAsync(int table)
        {
            Interlocked.Increment(ref _open);
            try
            {
                Handler handler = new();
                using Request request = new(table, handler, typeof(Meal));
                return await handler.Answer;
            }
            finally
            {
                Interlocked.Decrement(ref _open);
            }
        }
    }

    private sealed class Request : IDisposable
    {
        private readonly Dictionary<Type, IHandler> _handlers;
        private readonly Timer _timer;

        public Request(int table, IHandler handler, Type answer)
        {
            _handlers = new Dictionary<Type, IHandler> { [answer] = handler };
            _timer = new Timer(Expire, table, s_limit, Timeout.InfiniteTimeSpan);
        }

        public void Dispose() => _timer.Dispose();

        private void Expire(object? table)
        {
            foreach (IHandler handler in _handlers.Values)
            {
                handler.Fail(new TimeoutException($"nothing for table {table}"));
            }
        }
    }

    private sealed class Handler : IHandler
    {
        private readonly TaskCompletionSource<Meal> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<Meal> Answer => _answer.Task;

        public void Fail(Exception why) => _answer.TrySetException(why);
    }
}
