using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>A reader drains a channel whose writer failed without completing it. Nobody else can reach the channel.</summary>
internal static class ChannelWriterGone
{
    public static async Task RunAsync()
    {
        ReportWriter report = await StartAsync();
        Ready.WhenStill(() => report.Lines == 3);
        await report.DrainAsync();
        Console.WriteLine("never printed");
    }

    private static async Task<ReportWriter> StartAsync()
    {
        Channel<string> lines = Channel.CreateUnbounded<string>();
        ReportWriter report = new(lines.Reader);
        try
        {
            await ImportAsync(lines.Writer);
        }
        catch (IOException e)
        {
            Console.WriteLine($"import: {e.Message}");
        }

        return report;
    }

    private static async Task ImportAsync(ChannelWriter<string> lines)
    {
        for (int i = 0; i < 3; i++)
        {
            await lines.WriteAsync($"line {i}");
            await Task.Yield();
        }

        throw new IOException("the share went away");
    }

    private sealed class ReportWriter(ChannelReader<string> lines)
    {
        private int _lines;

        public int Lines => Volatile.Read(ref _lines);

        public async Task DrainAsync()
        {
            await foreach (string _ in lines.ReadAllAsync())
            {
                Interlocked.Increment(ref _lines);
            }
        }
    }
}
