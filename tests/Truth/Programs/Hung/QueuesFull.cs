using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>
/// Tiles are loaded and examined, and what is examined asks for more tiles than can be loaded: both queues are full, and each waits for
/// room in the other. A gauge beside them goes its round.
/// </summary>
internal static class QueuesFull
{
    public static async Task RunAsync()
    {
        Gauge gauge = new();
        Task reading = gauge.ReadAsync();
        Flood flood = new();
        Task all = flood.SpreadAsync();
        Ready.When(() => flood.Waiting == 3 && gauge.Level > 1);
        await Task.WhenAny(all, reading);
    }

    private sealed class Gauge
    {
        private double _level;

        public double Level => Volatile.Read(ref _level);

        public async Task ReadAsync()
        {
            using PeriodicTimer tick = new(TimeSpan.FromMilliseconds(100));
            while (await tick.WaitForNextTickAsync())
            {
                if (Level < 1e6)
                {
                    Volatile.Write(ref _level, Level + 1);
                }
            }
        }
    }

    private sealed class Flood
    {
        private readonly Channel<int> _wanted = Channel.CreateBounded<int>(4);
        private readonly Channel<string> _loaded = Channel.CreateBounded<string>(2);
        private int _waiting;

        public int Waiting => Volatile.Read(ref _waiting);

        public async Task SpreadAsync()
        {
            Task[] stages = [LoadAsync(), LoadAsync(), ExamineAsync()];
            await _wanted.Writer.WriteAsync(1);
            await Task.WhenAll(stages);
        }

        private async Task LoadAsync()
        {
            await foreach (int tile in _wanted.Reader.ReadAllAsync())
            {
                await Task.Delay(1);
                await NoteAsync(_loaded.Writer.WriteAsync($"tile {tile}"));
            }
        }

        private async Task ExamineAsync()
        {
            await foreach (string tile in _loaded.Reader.ReadAllAsync())
            {
                for (int next = 0; next < tile.Length; next++)
                {
                    await NoteAsync(_wanted.Writer.WriteAsync(next));
                }
            }
        }

        private async Task NoteAsync(ValueTask writing)
        {
            Interlocked.Increment(ref _waiting);
            await writing;
            Interlocked.Decrement(ref _waiting);
        }
    }
}
