using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>A bounded channel that is mostly full: three producers wait for their turn, and the consumer works all the time.</summary>
internal static class ChannelInFlow
{
    private static long s_consumed;
    private static double s_sum;

    public static async Task RunAsync()
    {
        Channel<int> jobs = Channel.CreateBounded<int>(8);
        Task consumer = Task.Run(() => ConsumeAsync(jobs.Reader));
        Task[] producers = [.. Enumerable.Range(0, 3).Select(number => Task.Run(() => ProduceAsync(jobs.Writer, number)))];
        Ready.When(() => Volatile.Read(ref s_consumed) > 100);
        await Task.WhenAll([consumer, .. producers]);
    }

    private static async Task ProduceAsync(ChannelWriter<int> jobs, int number)
    {
        while (true)
        {
            await jobs.WriteAsync(number);
        }
    }

    private static async Task ConsumeAsync(ChannelReader<int> jobs)
    {
        await foreach (int job in jobs.ReadAllAsync())
        {
            for (int i = 1; i < 100_000; i++)
            {
                s_sum += Math.Sqrt(job + i);
            }

            Interlocked.Increment(ref s_consumed);
        }
    }
}
