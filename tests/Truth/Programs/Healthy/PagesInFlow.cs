using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>Four pages at once are set and wait for room at the press, which prints one after the other.</summary>
internal static class PagesInFlow
{
    public static async Task RunAsync()
    {
        Press press = new();
        Task printing = press.PrintAsync();
        await Parallel.ForEachAsync(Enumerable.Range(0, 400), new ParallelOptions { MaxDegreeOfParallelism = 4 }, press.SetAsync);
        press.Close();
        await printing;
    }

    private sealed class Press
    {
        private static readonly TimeSpan s_page = TimeSpan.FromSeconds(1);

        private readonly Channel<int> _pages = Channel.CreateBounded<int>(2);
        private int _asked;
        private int _printed;

        public async Task PrintAsync()
        {
            Ready.When(() => Volatile.Read(ref _asked) >= 6 && Volatile.Read(ref _printed) >= 0);
            await foreach (int page in _pages.Reader.ReadAllAsync())
            {
                await Task.Delay(s_page);
                Interlocked.Increment(ref _printed);
            }
        }

        public async ValueTask SetAsync(int page, CancellationToken stop)
        {
            Interlocked.Increment(ref _asked);
            await _pages.Writer.WriteAsync(page, stop);
        }

        public void Close() => _pages.Writer.Complete();
    }
}
