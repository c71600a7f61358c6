using Samples;

namespace Ages;

/// <summary>Waits of many kinds, each printed with the time at which it began, by the runtime's clock in milliseconds.</summary>
internal static class Program
{
    private const int Age = 3_000;

    private static readonly object s_gate = new();
    private static readonly object s_turns = new();
    private static readonly SemaphoreSlim s_full = new(0);
    private static readonly TaskCompletionSource s_never = new();
    private static readonly List<object> s_kept = [];
#if NET9_0_OR_GREATER
    private static readonly Lock s_lock = new();
#endif

    // The time at which the process was stopped, as near as it can tell: what ages are compared with.
    private static long s_now;

    private static void Main()
    {
        Start(Tick);
        Hold("monitor", s_gate);
        Start(() => Monitor.TryEnter(s_gate, TimeSpan.FromHours(1)), "timed");
#if NET9_0_OR_GREATER
        HoldLock();
#endif
        s_kept.Add(DelayAsync());
        s_kept.Add(EnterAsync());
        Thread.Sleep(Age);
        for (int count = 0; count < 4; count++)
        {
            Start(TakeTurns);
        }

        StarvePool();
        Thread.Sleep(Age);
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Tick()
    {
        while (true)
        {
            Volatile.Write(ref s_now, Environment.TickCount64);
            Thread.Sleep(1);
        }
    }

    private static void Hold(string name, object gate)
    {
        using ManualResetEventSlim held = new();
        Start(() =>
        {
            lock (gate)
            {
                held.Set();
                Thread.Sleep(Timeout.Infinite);
            }
        });
        held.Wait();
        Start(() => Monitor.Enter(gate), name);
    }

#if NET9_0_OR_GREATER
    private static void HoldLock()
    {
        using ManualResetEventSlim held = new();
        Start(() =>
        {
            s_lock.Enter();
            held.Set();
            Thread.Sleep(Timeout.Infinite);
        });
        held.Wait();
        Start(() => s_lock.Enter(), "lock");
    }
#endif

    private static async Task DelayAsync()
    {
        Say("delay");
        await Task.Delay(TimeSpan.FromHours(1));
    }

    private static async Task EnterAsync()
    {
        Say("enter");
        await s_full.WaitAsync(TimeSpan.FromHours(1));
    }

    private static void TakeTurns()
    {
        while (true)
        {
            lock (s_turns)
            {
                Thread.Sleep(20);
            }
        }
    }

    // All workers that the pool may have are blocked, and what is queued behind them waits.
    private static void StarvePool()
    {
        int workers = Environment.ProcessorCount;
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, workers);
        using CountdownEvent blocked = new(workers);
        for (int count = 0; count < workers; count++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ =>
            {
                Say("taken");
                blocked.Signal();
                s_never.Task.Wait();
            }, null);
        }

        blocked.Wait();
        ThreadPool.UnsafeQueueUserWorkItem(_ => { }, null);
        s_kept.Add(new Timer(_ => { }, null, 100, 100));
        Console.WriteLine($"age=overdue start={Environment.TickCount64 + 100}");
    }

    private static void Start(ThreadStart body, string name)
    {
        Thread thread = new(() =>
        {
            Say(name);
            body();
        }) { IsBackground = true, Name = name };
        thread.Start();
        ThreadRest.Await(() => ThreadRest.IsAtRest(thread));
    }

    private static void Start(ThreadStart body) => new Thread(body) { IsBackground = true }.Start();

    private static void Say(string age) => Console.WriteLine($"age={age} start={Environment.TickCount64}");
}
