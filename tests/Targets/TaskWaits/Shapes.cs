using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace TaskWaits;

/// <summary>Tasks of every shape, none of which completes while the program is looked at.</summary>
internal static class Shapes
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // What a static field leads to can be completed by somebody.
    private static readonly List<object> s_known = [];
    private static readonly Channel<string> s_full = Channel.CreateBounded<string>(1);
    private static readonly PeriodicTimer s_ticks = new(s_hour);

    public static Task Kept()
    {
        TaskCompletionSource promise = new();
        s_known.Add(promise);
        return promise.Task;
    }

    public static Task Lost() => new TaskCompletionSource().Task;

    public static async Task AwaitsAsync(Func<Task> inner) => await inner().ConfigureAwait(false);

    public static async Task StaysInContextAsync() => await Task.Delay(s_hour);

    public static Task Unwrapped() => Task.Run(async () => await Task.Delay(s_hour));

    public static Task AllOf() => Task.WhenAll(Task.Delay(s_hour), Lost());

    public static Task AnyOf() => Task.WhenAny(Lost(), Task.Delay(s_hour), Lost());

    public static Task Continued() => Task.Delay(s_hour).ContinueWith(_ => { }, TaskScheduler.Default);

    public static Task TimeLimited() => Lost().WaitAsync(s_hour);

    public static async Task PooledAsync()
    {
        await PooledDelayAsync().ConfigureAwait(false);
    }

    public static Task AsTask() => PooledDelayAsync().AsTask();

    public static Task WritesToFull()
    {
        s_full.Writer.TryWrite("first");
        return s_full.Writer.WriteAsync("second").AsTask();
    }

    public static Task NextTick() => s_ticks.WaitForNextTickAsync().AsTask();

    public static async Task ReceiveAsync()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient client = new();
        await client.ConnectAsync(IPAddress.Loopback, ((IPEndPoint)listener.LocalEndpoint).Port).ConfigureAwait(false);
        using TcpClient server = await listener.AcceptTcpClientAsync().ConfigureAwait(false);
        await client.GetStream().ReadExactlyAsync(new byte[1]).ConfigureAwait(false);
    }

    public static async Task EnterAsync(SemaphoreSlim semaphore) => await semaphore.WaitAsync().ConfigureAwait(false);

    /// <summary>Blocks inside an async method, on a task that it holds.</summary>
    public static async Task BlockInAsync(Func<Task> begin)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        Task held = begin();
        held.Wait();
        await held.ConfigureAwait(false);
    }

    /// <summary>Goes on, on the thread that completes the task, and never ends.</summary>
    public static async Task RunAfterAsync(Task begun, Action run)
    {
        await begun.ConfigureAwait(false);
        run();
    }

    public static async Task EnterTwiceAsync(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync().ConfigureAwait(false);
        await EnterAsync(semaphore).ConfigureAwait(false);
        semaphore.Release();
    }

    public static Task EnterCrosswise()
    {
        SemaphoreSlim one = new(1, 1);
        SemaphoreSlim other = new(1, 1);
        TaskCompletionSource bothTaken = new();
        Task[] flows = [EnterBothAsync(one, other, bothTaken.Task), EnterBothAsync(other, one, bothTaken.Task)];
        bothTaken.SetResult();
        return Task.WhenAll(flows);
    }

    private static async Task EnterBothAsync(SemaphoreSlim first, SemaphoreSlim second, Task bothTaken)
    {
        await first.WaitAsync().ConfigureAwait(false);
        await bothTaken.ConfigureAwait(false);
        await second.WaitAsync().ConfigureAwait(false);
        first.Release();
    }

    public static Task CancellableDelay(CancellationToken token) => Task.Delay(Timeout.Infinite, token);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PooledDelayAsync() => await Task.Delay(s_hour).ConfigureAwait(false);
}
