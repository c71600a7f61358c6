using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// All who ask for the same rate share one load. The one who loads is called off, and neither completes what the others wait for nor takes
/// it out; other rates are loaded all the time.
/// </summary>
internal static class LoadLeft
{
    private const int Sharing = 5;

    private static readonly TimeSpan s_load = TimeSpan.FromMilliseconds(40);

    public static async Task RunAsync()
    {
        RateTable table = new();
        using CancellationTokenSource caller = new();
        Task<Rate> first = table.GetAsync("EUR", caller.Token);
        Task<Rate>[] others = [.. Enumerable.Range(0, Sharing).Select(_ => table.GetAsync("EUR", CancellationToken.None))];
        await caller.CancelAsync();
        Task asking = AskAsync(table);
        Ready.When(() => first.IsCanceled && table.Shared >= Sharing);
        await Task.WhenAll(others);
        await asking;
    }

    private static async Task AskAsync(RateTable table)
    {
        for (int number = 0; number < 1_000_000; number++)
        {
            await Task.Delay(s_load);
            Console.WriteLine(await table.GetAsync($"pair {number}", CancellationToken.None));
        }
    }

    private sealed record Rate(decimal Value);

    private sealed class RateTable
    {
        private readonly ConcurrentDictionary<string, TaskCompletionSource<Rate>> _loading = new(StringComparer.Ordinal);
        private int _shared;

        public int Shared => Volatile.Read(ref _shared);

        public async Task<Rate> GetAsync(string pair, CancellationToken cancellation)
        {
            TaskCompletionSource<Rate> mine = new(TaskCreationOptions.RunContinuationsAsynchronously);
            TaskCompletionSource<Rate> current = _loading.GetOrAdd(pair, mine);
            if (current != mine)
            {
                Interlocked.Increment(ref _shared);
                return await current.Task;
            }

            try
            {
                Rate rate = await LoadAsync(pair, cancellation);
                _loading.TryRemove(pair, out _);
                mine.SetResult(rate);
                return rate;
            }
            catch (HttpRequestException e)
            {
                _loading.TryRemove(pair, out _);
                mine.SetException(e);
                throw;
            }
        }

        private static async Task<Rate> LoadAsync(string pair, CancellationToken cancellation)
        {
            await Task.Delay(pair == "EUR" ? TimeSpan.FromHours(1) : s_load, cancellation);
            return new Rate(pair.Length);
        }
    }
}
