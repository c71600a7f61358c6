using System.Globalization;
using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>A bounded channel is full: its consumer failed on a bad message, and nobody looks at its task.</summary>
internal static class ChannelDeadConsumer
{
    public static async Task RunAsync()
    {
        Ingest ingest = new();
        ingest.Start();
        Task[] stations = [.. Enumerable.Range(0, 3).Select(ingest.ProduceAsync)];
        Ready.WhenStill(() => ingest.HasConsumerEnded && ingest.Queued == Ingest.Capacity);
        await Task.WhenAll(stations);
    }

    internal sealed class Ingest
    {
        public const int Capacity = 16;
        private readonly Channel<string> _readings = Channel.CreateBounded<string>(Capacity);
        private Task? _consumer;

        public bool HasConsumerEnded => _consumer!.IsCompleted;

        public int Queued => _readings.Reader.Count;

        public void Start() => _consumer = Task.Run(ConsumeAsync);

        public async Task ProduceAsync(int station)
        {
            for (int i = 0; ; i++)
            {
                await _readings.Writer.WriteAsync(i == 40 ? "n/a" : $"{station + i}");
            }
        }

        private async Task ConsumeAsync()
        {
            int sum = 0;
            await foreach (string reading in _readings.Reader.ReadAllAsync())
            {
                sum += int.Parse(reading, CultureInfo.InvariantCulture);
            }

            Console.WriteLine(sum);
        }
    }
}
