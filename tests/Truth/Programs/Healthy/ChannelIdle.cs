using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>A consumer waits on an empty channel; a timer writes to it twice a second.</summary>
internal static class ChannelIdle
{
    private static int s_consumed;

    public static async Task RunAsync()
    {
        Channel<DateTime> ticks = Channel.CreateBounded<DateTime>(16);
        using Timer producer = new(_ => ticks.Writer.TryWrite(DateTime.UtcNow), null, 0, 500);
        Ready.When(() => Volatile.Read(ref s_consumed) > 1);
        await ConsumeAsync(ticks.Reader);
    }

    private static async Task ConsumeAsync(ChannelReader<DateTime> ticks)
    {
        await foreach (DateTime _ in ticks.ReadAllAsync())
        {
            Interlocked.Increment(ref s_consumed);
        }
    }
}
