namespace Truth.Healthy;

/// <summary>
/// Five followers ask for the next price of floors that are closed: the board answers "nothing new" after 12 minutes by a timer of its own,
/// and one floor trades.
/// </summary>
internal static class LongPollsOfMinutes
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(12);

    public static async Task RunAsync()
    {
        Board board = new();
        Task trade = TradeAsync(board);
        Task[] followers = [.. Enumerable.Range(0, 5).Select(floor => FollowAsync(board, floor))];
        Ready.When(() => board.Open == 5 && board.Trades > 0);
        await Task.WhenAll(followers);
        await trade;
    }

    private static async Task FollowAsync(Board board, int floor)
        => Console.WriteLine(await board.NextAsync(floor, s_limit) is { } price ? $"{floor}: {price}" : $"{floor}: nothing new");

    private static async Task TradeAsync(Board board)
    {
        using PeriodicTimer timer = new(TimeSpan.FromMilliseconds(500));
        while (board.Open > 0 && await timer.WaitForNextTickAsync())
        {
            board.Trade();
        }
    }

    private sealed class Board
    {
        private readonly Dictionary<int, TaskCompletionSource<int?>> _open = [];
        private int _trades;

        public int Trades => Volatile.Read(ref _trades);

        public int Open
        {
            get
            {
                lock (_open)
                {
                    return _open.Count;
                }
            }
        }

        public async Task<int?> NextAsync(int floor, TimeSpan limit)
        {
            TaskCompletionSource<int?> next = new(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_open)
            {
                _open.Add(floor, next);
            }

            using CancellationTokenSource end = new(limit);
            await using CancellationTokenRegistration registration = end.Token.Register(() => next.TrySetResult(null));
            int? price = await next.Task;
            lock (_open)
            {
                _open.Remove(floor);
            }

            return price;
        }

        public void Trade() => Interlocked.Increment(ref _trades);
    }
}
