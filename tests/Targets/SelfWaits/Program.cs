using System.Collections.Concurrent;
using Samples;

namespace SelfWaits;

/// <summary>
/// Async methods that come to a semaphore a second time, and some that only look so; each printed with who has taken what it waits for and
/// awaits it. And waits for several tasks, each printed with what its parts are.
/// </summary>
internal static class Program
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);
    private static readonly List<object> s_kept = [];

    private static async Task Main()
    {
        ConcurrentDictionary<string, SemaphoreSlim> gates = new();
        Taken("AgainAsync", "LoadAsync", LoadAsync(gates, "price"));
        Taken("OnceMoreAsync", "OpenAsync", OpenAsync(gates, "book"));
        Taken("OfAnotherAsync", "-", FindAsync(gates));
        Taken("EnterAsync", "-", CallAsync(gates));
        Parts("MixedAsync", "Task", MixedAsync(new TaskCompletionSource().Task));
        Parts("KnownAsync", "WhenAll", KnownAsync());
        await Task.Yield();
        Stage.ReadyWhenAllWait();
    }

    // A lock for each key, and what makes a value asks for the same key.
    private static async Task LoadAsync(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
    {
        SemaphoreSlim gate = Of(gates, key);
        await gate.WaitAsync();
        try
        {
            await BetweenAsync(() => AgainAsync(gates, key));
        }
        finally
        {
            gate.Release();
        }
    }

    private static async Task AgainAsync(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
    {
        SemaphoreSlim gate = Of(gates, key);
        await gate.WaitAsync();
        s_kept.Add(key);
        gate.Release();
    }

    private static async Task BetweenAsync(Func<Task> make)
    {
        await make();
        s_kept.Add(make);
    }

    // What gives the entry back is a structure.
    private static async Task OpenAsync(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
    {
        using Ticket ticket = await TakeAsync(gates, key);
        await BetweenAsync(() => OnceMoreAsync(gates, key));
    }

    private static async Task OnceMoreAsync(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
    {
        SemaphoreSlim gate = Of(gates, key);
        await gate.WaitAsync();
        s_kept.Add(key);
        gate.Release();
    }

    private static async Task<Ticket> TakeAsync(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
    {
        SemaphoreSlim gate = Of(gates, key);
        await gate.WaitAsync();
        return new Ticket(gate);
    }

    // It has taken one and waits for another, which somebody else has.
    private static async Task FindAsync(ConcurrentDictionary<string, SemaphoreSlim> gates)
    {
        SemaphoreSlim mine = Of(gates, "mine");
        Of(gates, "other").Wait();
        await mine.WaitAsync();
        await BetweenAsync(() => OfAnotherAsync(gates));
        mine.Release();
    }

    private static async Task OfAnotherAsync(ConcurrentDictionary<string, SemaphoreSlim> gates)
    {
        SemaphoreSlim gate = Of(gates, "other");
        await gate.WaitAsync();
        s_kept.Add(gate);
        gate.Release();
    }

    // It has the semaphore, and lets another method enter it for the first time.
    private static async Task CallAsync(ConcurrentDictionary<string, SemaphoreSlim> gates)
    {
        SemaphoreSlim gate = Of(gates, "call");
        gate.Wait();
        await Task.Yield();
        await EnterAsync(gate);
        s_kept.Add(gate);
    }

    private static async Task EnterAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync();
        s_kept.Add(gate);
    }

    private static async Task MixedAsync(Task answer)
    {
        await Task.WhenAll(Task.Delay(s_long), answer, AgainLaterAsync());
        s_kept.Add(answer);
    }

    private static async Task KnownAsync()
    {
        await Task.WhenAll(Task.Delay(s_long), AgainLaterAsync());
        s_kept.Add(s_long);
    }

    private static async Task AgainLaterAsync()
    {
        await Task.Delay(s_long);
        s_kept.Add(s_long);
    }

    private static SemaphoreSlim Of(ConcurrentDictionary<string, SemaphoreSlim> gates, string key)
        => gates.GetOrAdd(key, _ => new SemaphoreSlim(1, 1));

    private static void Taken(string method, string by, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"waits={method} taker={by}");
    }

    private static void Parts(string method, string kind, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"all={method} kind={kind}");
    }

    private readonly struct Ticket(SemaphoreSlim gate) : IDisposable
    {
        public void Dispose() => gate.Release();
    }
}
