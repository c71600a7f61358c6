using Nito.AsyncEx;

namespace Truth.Hung;

/// <summary>
/// A lorry whose papers cannot be read leaves its door taken. When both are, three others wait, beside a cleaner that tries for a door now
/// and then, and gives back what it gets.
/// </summary>
internal static class DoorsLeft
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    public static async Task RunAsync()
    {
        Doors doors = new();
        _ = CleanAsync(doors);
        Task[] lorries = [.. Enumerable.Range(0, 5).Select(doors.UnloadAsync)];
        Ready.When(() => doors.Asked == lorries.Length && doors.Refused == 2 && doors.Skipped > 0);
        await Task.WhenAll(lorries.Where(lorry => !lorry.IsFaulted));
    }

    private static async Task CleanAsync(Doors doors)
    {
        while (true)
        {
            await Task.Delay(s_pause);
            await doors.TryWashAsync();
        }
    }

    private sealed class Doors
    {
        private readonly AsyncSemaphore _doors = new(2);
        private int _asked;
        private int _refused;
        private int _skipped;

        public int Asked => Volatile.Read(ref _asked);

        public int Refused => Volatile.Read(ref _refused);

        public int Skipped => Volatile.Read(ref _skipped);

        public async Task UnloadAsync(int lorry)
        {
            Interlocked.Increment(ref _asked);
            await _doors.WaitAsync();
            if (lorry < 2)
            {
                Interlocked.Increment(ref _refused);
                throw new FormatException();
            }

            await Task.Delay(s_pause);
            _doors.Release();
        }

        public async Task TryWashAsync()
        {
            using CancellationTokenSource patience = new(s_pause);
            try
            {
                await _doors.WaitAsync(patience.Token);
            }
            catch (OperationCanceledException)
            {
                Interlocked.Increment(ref _skipped);
                return;
            }

            try
            {
                await Task.Delay(s_pause);
            }
            finally
            {
                _doors.Release();
            }
        }
    }
}
