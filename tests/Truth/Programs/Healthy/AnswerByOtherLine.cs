using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>
/// A hub gets readings over one line and sheets over another, each with a loop that calls it for one message after the other. It asks for
/// the sheet of each sensor, which takes most of a second, and waits for it in the call for a reading.
/// </summary>
internal static class AnswerByOtherLine
{
    public static async Task RunAsync()
    {
        Line readings = new();
        Line sheets = new();
        Hub hub = new(sheets);
        readings.Received = hub.OnMessageAsync;
        sheets.Received = hub.OnMessageAsync;
        Task sending = SendAsync(readings);
        Task answering = sheets.RunAsync();
        Ready.When(() => hub.Corrected > 1 && hub.IsAsking);
        await readings.RunAsync();
        await answering;
        await sending;
    }

    private static async Task SendAsync(Line line)
    {
        for (int number = 0; ; number++)
        {
            line.Post($"reading sensor-{number} {number}");
            await Task.Delay(100);
        }
    }

    private sealed record Sheet(string Gain);

    private sealed class Line
    {
        private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();

        public Func<string, Task>? Received { get; set; }

        public void Post(string message) => _messages.Writer.TryWrite(message);

        public async Task RunAsync()
        {
            await foreach (string message in _messages.Reader.ReadAllAsync())
            {
                await Received!(message);
            }
        }
    }

    private sealed class Hub(Line sheets)
    {
        private readonly ConcurrentDictionary<string, Sheet> _sheets = [];
        private readonly ConcurrentDictionary<string, TaskCompletionSource<Sheet>> _asked = [];
        private int _corrected;

        public int Corrected => Volatile.Read(ref _corrected);

        public bool IsAsking => !_asked.IsEmpty;

        public Task OnMessageAsync(string message)
        {
            string[] parts = message.Split(' ');
            return parts[0] == "sheet" ? TakeSheet(parts[1], new Sheet(parts[2])) : CorrectAsync(parts[1]);
        }

        private Task TakeSheet(string sensor, Sheet sheet)
        {
            if (_asked.TryRemove(sensor, out TaskCompletionSource<Sheet>? asked))
            {
                asked.SetResult(sheet);
            }

            return Task.CompletedTask;
        }

        private async Task CorrectAsync(string sensor)
        {
            if (!_sheets.ContainsKey(sensor))
            {
                TaskCompletionSource<Sheet> asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
                _asked[sensor] = asked;
                _ = FindAsync(sensor);
                _sheets[sensor] = await asked.Task;
            }

            Interlocked.Increment(ref _corrected);
        }

        private async Task FindAsync(string sensor)
        {
            await Task.Delay(700);
            sheets.Post($"sheet {sensor} 1.02");
        }
    }
}
