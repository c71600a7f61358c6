using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using static AsyncFlows.Expected;

namespace AsyncFlows;

/// <summary>Async methods that wait for one thing of each kind, none of which comes while the program is looked at.</summary>
internal static class Shapes
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TaskCompletionSource s_promise = new();
    private static readonly Channel<int> s_full = Channel.CreateBounded<int>(2);
    private static readonly Channel<int> s_empty = Channel.CreateUnbounded<int>();
    private static readonly Channel<int> s_single = Channel.CreateUnbounded<int>(new UnboundedChannelOptions { SingleReader = true });

    public static async Task PromiseAsync() => await At(s_promise.Task);

    public static async Task DelayAsync() => await At(Task.Delay(s_hour));

    public static async Task EndlessAsync() => await At(Task.Delay(Timeout.Infinite));

    public static async Task UntilCancelledAsync(CancellationToken token) => await At(Task.Delay(Timeout.Infinite, token));

    public static async Task LimitedAsync() => await At(s_promise.Task.WaitAsync(s_hour));

    public static async Task WriteAsync()
    {
        for (int item = 0; ; item++)
        {
            await At(s_full.Writer.WriteAsync(item));
        }
    }

    public static async Task ReadAsync() => await At(s_empty.Reader.ReadAsync());

    public static async Task ReadSingleAsync() => await At(s_single.Reader.WaitToReadAsync());

    public static async Task ForEachAsync()
    {
        await foreach (int item in At(ItemsAsync()))
        {
            GC.KeepAlive(item);
        }
    }

    public static async Task AllAsync() => await At(Task.WhenAll(LeafAsync(), LeafAsync()));

    public static async Task AnyAsync() => await At(Task.WhenAny(s_promise.Task, Task.Delay(s_hour)));

    public static async Task OuterAsync() => await At(MiddleAsync());

    public static async void ForgetAsync() => await At(s_promise.Task);

    public static async Task PooledCallerAsync() => await At(PooledAsync());

    public static async Task TickAsync(PeriodicTimer timer) => await At(timer.WaitForNextTickAsync());

    public static async Task YieldAsync() => await At(Task.Yield());

    public static async Task ReceiveAsync()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient client = new();
        client.Connect(IPAddress.Loopback, ((IPEndPoint)listener.LocalEndpoint).Port);
        using TcpClient server = listener.AcceptTcpClient();
        await At(client.GetStream().ReadAsync(new byte[1]));
    }

    public static Task Lambda()
    {
        Func<Task> wait = async () => await s_promise.Task;
        return wait();
    }

    public static Task Local()
    {
        return InnerAsync();

        static async Task InnerAsync() => await At(s_promise.Task);
    }

    public static async Task<int> DeepAsync(int depth) => depth == 0 ? await DeepestAsync() : await At(DeepAsync(depth - 1)) + 1;

    public static async Task<int> DeepestAsync()
    {
        await At(s_promise.Task);
        return 0;
    }

    /// <summary>Nothing but itself refers to it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Lost()
    {
        for (int i = 0; i < 3; i++)
        {
            _ = LostAsync(new TaskCompletionSource());
        }

        static async Task LostAsync(TaskCompletionSource promise) => await promise.Task;
    }

    private static async Task MiddleAsync() => await At(LeafAsync());

    private static async Task LeafAsync() => await At(s_promise.Task);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PooledAsync() => await At(s_promise.Task);

    private static async IAsyncEnumerable<int> ItemsAsync()
    {
        yield return 1;
        await At(s_promise.Task);
        yield return 2;
    }
}
