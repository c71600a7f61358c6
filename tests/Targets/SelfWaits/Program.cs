using System.Collections.Concurrent;
using System.Threading.Channels;
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
    private static readonly OwnDesk s_own = new();

    private static async Task Main()
    {
        ConcurrentDictionary<string, SemaphoreSlim> gates = new();
        Taken("AgainAsync", "LoadAsync", LoadAsync(gates, "price"));
        Taken("OnceMoreAsync", "OpenAsync", OpenAsync(gates, "book"));
        Taken("OfAnotherAsync", "-", FindAsync(gates));
        Taken("EnterAsync", "-", CallAsync(gates));
        Taken("Leases.Gate.EnterAsync", "Leases.PostAsync", Leases.PostAsync(new Leases.Gate()));
        Taken("Leases.SlotGate.EnterSlotAsync", "-", Leases.PostInTurnAsync(new Leases.SlotGate()));
        SemaphoreSlim both = new(1, 1);
        Taken("Leases.EnterBothAsync", "Leases.EnterBothAsync", Leases.EnterBothAsync(both, both));
        Leases.HallGate hall = new();
        s_kept.Add(Leases.HoldAsync(hall));
        Taken("Leases.HallGate.EnterHallAsync", "-", Leases.WaitForHallAsync(hall));
        Console.WriteLine("held=Leases.HallGate.EnterHallAsync by=Leases.HoldAsync variable=pass end=Leases.RestAsync");
        Parts("MixedAsync", "Task", MixedAsync(new TaskCompletionSource().Task));
        Parts("KnownAsync", "WhenAll", KnownAsync());
        Thread[] desks =
        [
            Desk("own", "OwnDesk.OnMessage", () => Serve(s_own.OnMessage)),
            Desk("other", "-", () => ServeOther(new OtherDesk().OnMessage)),
        ];
        Own("AskOwnAsync", "PumpAsync", PumpAsync());
        Own("Lines.Meter.AskMeterAsync", "Lines.Line.ReceiveAsync", Lines.OnOwnLineAsync());
        Own("Lines.Register.AskRegisterAsync", "-", Lines.OnTwoLinesAsync());
        Own("Lines.Ticks.AskInTriesAsync", "-", Lines.InTriesAsync());
        Stage.ReadyWhenAllWait(desks);
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

    // A question that is asked where its answers come in, one after the other.
    private static Thread Desk(string name, string by, ThreadStart serve)
    {
        Console.WriteLine($"desk={name} giver={by}");
        return Stage.Start(name, serve);
    }

    private static void Serve(Action<string> onMessage)
    {
        BlockingCollection<string> messages = ["question", "answer"];
        foreach (string message in messages.GetConsumingEnumerable())
        {
            onMessage(message);
        }
    }

    private static void ServeOther(Action<string> onMessage)
    {
        BlockingCollection<string> messages = ["question"];
        foreach (string message in messages.GetConsumingEnumerable())
        {
            onMessage(message);
        }
    }

    private static async Task PumpAsync()
    {
        ConcurrentDictionary<int, TaskCompletionSource<int>> open = new();
        Channel<string> messages = Channel.CreateUnbounded<string>();
        messages.Writer.TryWrite("question");
        messages.Writer.TryWrite("answer");
        while (await messages.Reader.WaitToReadAsync())
        {
            while (messages.Reader.TryRead(out string? message))
            {
                await OnMessageAsync(open, message);
            }
        }
    }

    private static async Task OnMessageAsync(ConcurrentDictionary<int, TaskCompletionSource<int>> open, string message)
    {
        if (message == "answer")
        {
            if (open.TryRemove(1, out TaskCompletionSource<int>? waiting))
            {
                waiting.TrySetResult(1);
            }

            return;
        }

        s_kept.Add(await AskOwnAsync(open));
    }

    private static async Task<int> AskOwnAsync(ConcurrentDictionary<int, TaskCompletionSource<int>> open)
    {
        TaskCompletionSource<int> answer = new();
        open[1] = answer;
        int given = await answer.Task;
        s_kept.Add(given);
        return given;
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

    private static void Own(string method, string loop, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"own={method} loop={loop}");
    }

    private sealed class OwnDesk
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<long>> _open = new();

        public void OnMessage(string message)
        {
            if (message == "answer")
            {
                if (_open.TryRemove(1, out TaskCompletionSource<long>? waiting))
                {
                    waiting.TrySetResult(1);
                }

                return;
            }

            TaskCompletionSource<long> answer = new();
            _open[1] = answer;
            Console.Error.WriteLine(answer.Task.GetAwaiter().GetResult());
        }
    }

    // Its answers come in by a timer of their own.
    private sealed class OtherDesk
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<double>> _open = new();

        public OtherDesk() => s_kept.Add(new Timer(_ => OnAnswer(), null, s_long, s_long));

        public void OnMessage(string message)
        {
            TaskCompletionSource<double> answer = new();
            _open[1] = answer;
            Console.Error.WriteLine(answer.Task.GetAwaiter().GetResult());
        }

        private void OnAnswer()
        {
            if (_open.TryRemove(1, out TaskCompletionSource<double>? waiting))
            {
                waiting.TrySetResult(1);
            }
        }
    }

    private readonly struct Ticket(SemaphoreSlim gate) : IDisposable
    {
        public void Dispose() => gate.Release();
    }
}
