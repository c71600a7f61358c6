using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>A thread puts labels into a full channel, blocked until the slow printer has taken one.</summary>
internal static class ScannerAndSlowPrinter
{
    public static void Run()
    {
        LabelLine line = new();
        Thread scanner = new(line.Scan) { Name = "scanner" };
        scanner.Start();
        _ = line.PrintAsync();
        Ready.When(() => line.Printed > 1);
        scanner.Join();
    }

    private sealed class LabelLine
    {
        private readonly Channel<string> _labels = Channel.CreateBounded<string>(4);

        public int Printed { get; private set; }

        public void Scan()
        {
            for (int number = 0; ; number++)
            {
                _labels.Writer.WriteAsync($"parcel {number}").AsTask().GetAwaiter().GetResult();
            }
        }

        public async Task PrintAsync()
        {
            await foreach (string label in _labels.Reader.ReadAllAsync())
            {
                await Task.Delay(TimeSpan.FromMilliseconds(20 * label.Length));
                Printed++;
            }
        }
    }
}
