using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>
/// A thread puts labels into a channel, blocked while that is full; the async method that printed them has ended at one that it could not.
/// </summary>
internal static class FeedBehindEndedReader
{
    public static void Run()
    {
        LabelLine line = new();
        Thread scanner = new(line.Scan) { Name = "scanner" };
        scanner.Start();
        _ = line.PrintAsync();
        Ready.WhenAtRest(() => line.Printed == 5, scanner);
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
                _labels.Writer.WriteAsync(number % 6 == 5 ? string.Empty : $"parcel {number}").AsTask().GetAwaiter().GetResult();
            }
        }

        public async Task PrintAsync()
        {
            await foreach (string label in _labels.Reader.ReadAllAsync())
            {
                if (label.Length == 0)
                {
                    throw new FormatException("a label without text");
                }

                Printed++;
            }
        }
    }
}
