using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>
/// A hub gets readings and sheets over one line, whose loop calls the hub for one message after the other. For a sensor that it does not
/// know it asks for the sheet and waits, in that very call: the sheet lies behind in the line. A panel shows the numbers once a second.
/// </summary>
internal static class AnswerBehindItself
{
    public static async Task RunAsync()
    {
        Line line = new();
        Hub hub = new(line);
        line.Received = hub.OnMessageAsync;
        await using Timer panel = new(_ => Console.WriteLine($"{hub.Corrected} corrected"), null, 1_000, 1_000);
        Task sending = SendAsync(line);
        Ready.When(() => hub.Corrected == 4 && hub.IsAsking);
        await line.RunAsync();
        await sending;
    }

    private static async Task SendAsync(Line line)
    {
        for (int number = 0; ; number++)
        {
            line.Post($"reading {(number < 4 ? "old" : "new")} {number}");
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

    private sealed class Hub(Line line)
    {
        private readonly Dictionary<string, Sheet> _sheets = new() { ["old"] = new Sheet("1.01") };
        private readonly Dictionary<string, TaskCompletionSource<Sheet>> _asked = [];
        private int _corrected;

        public int Corrected => Volatile.Read(ref _corrected);

        public bool IsAsking => _asked.Count > 0;

        public Task OnMessageAsync(string message)
        {
            string[] parts = message.Split(' ');
            return parts[0] == "sheet" ? TakeSheet(parts[1], new Sheet(parts[2])) : CorrectAsync(parts[1]);
        }

        private Task TakeSheet(string sensor, Sheet sheet)
        {
            if (_asked.Remove(sensor, out TaskCompletionSource<Sheet>? asked))
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
                line.Post($"sheet {sensor} 1.02");
                _sheets[sensor] = await asked.Task;
            }

            Interlocked.Increment(ref _corrected);
        }
    }
}
