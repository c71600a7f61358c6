using System.Threading.Channels;
using Samples;

namespace FailedGivers;

/// <summary>
/// Promises whose consumers have failed, and some that only look so. Each is printed with the method that alone could end the wait and has
/// failed, or "-".
/// </summary>
internal static class Program
{
    private static readonly List<object> s_kept = [];

    private static void Main()
    {
        DeadDesk dead = new();
        Expect("AskDeadAsync", "ServeAsync", dead.AskDeadAsync());

        Desk<long> watched = new();
        s_kept.Add(WatchAsync(watched));
        Expect("AskWatchedAsync", "-", AskWatchedAsync(watched));

        Desk<short> shared = new();
        s_kept.Add(SharedAsync(shared));
        s_kept.Add(SharedAsync(shared));
        Expect("AskSharedAsync", "-", AskSharedAsync(shared));

        Desk<byte> single = new();
        Expect("AskSingleAsync", "-", AskSingleAsync(single));

        Thread ready = Stage.Start("ready", () => Thread.Sleep(Timeout.Infinite));
        Stage.ReadyWhenAllWait(ready);
        GC.KeepAlive(s_kept);
    }

    // Who watches over it begins it again.
    private static async Task WatchAsync(Desk<long> desk)
    {
        while (s_kept.Count > 0)
        {
            try
            {
                await ConsumeAsync(desk);
            }
            catch (FormatException)
            {
                await Task.Delay(TimeSpan.FromHours(1));
            }
        }
    }

    private static async Task ConsumeAsync(Desk<long> desk)
    {
        await foreach (Order<long> order in desk.All())
        {
            order.Done.SetResult(long.Parse(order.Text, System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    private static async Task AskWatchedAsync(Desk<long> desk)
    {
        Order<long> order = new("three");
        await desk.PutAsync(order);
        s_kept.Add(await order.Done.Task);
    }

    // There are two of it, and one lives.
    private static async Task SharedAsync(Desk<short> desk)
    {
        await foreach (Order<short> order in desk.All())
        {
            order.Done.SetResult(short.Parse(order.Text, System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    private static async Task AskSharedAsync(Desk<short> desk)
    {
        Order<short> order = new("three");
        await desk.PutAsync(order);
        s_kept.Add(await order.Done.Task);
    }

    // It is called for each thing anew.
    private static async Task HandleAsync(Order<byte> order)
    {
        await Task.Yield();
        order.Done.SetResult(byte.Parse(order.Text, System.Globalization.CultureInfo.InvariantCulture));
    }

    private static async Task AskSingleAsync(Desk<byte> desk)
    {
        Order<byte> order = new("three");
        await desk.PutAsync(order);
        s_kept.Add(HandleAsync(order));
        s_kept.Add(await order.Done.Task);
    }

    private static void Expect(string method, string failed, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"waits={method} failed={failed}");
    }

    private sealed class Desk<T>
    {
        private readonly Channel<Order<T>> _orders = Channel.CreateBounded<Order<T>>(4);

        public ValueTask PutAsync(Order<T> order) => _orders.Writer.WriteAsync(order);

        public IAsyncEnumerable<Order<T>> All() => _orders.Reader.ReadAllAsync();
    }
}
