using System.Collections.Concurrent;
using Samples;

namespace Movers;

/// <summary>Timers, threads and async methods that will run again, each told with whether it can do more than look.</summary>
internal static class Program
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);
    private static readonly ManualResetEventSlim s_done = new();
    private static readonly BlockingCollection<int> s_orders = new(8);
    private static readonly TaskCompletionSource s_answer = new();
    private static readonly List<object> s_kept = [];
    private static readonly IGauge s_gauge = new Gauge();
    private static readonly IBell s_bell = new Bell(s_done);
    private static int s_seen;

    private static void Main()
    {
        Timers();
        Flows();
        Thread[] threads = [Start("Watch", acts: false, Watch), Start("Send", acts: true, Send)];
        Stage.ReadyWhenAllWait(threads);
    }

    private static void Timers()
    {
        Timer("Look", acts: false, Look);
        Timer("LookAtGauge", acts: false, LookAtGauge);
        Timer("Open", acts: true, Open);
        Timer("RingBell", acts: true, RingBell);
    }

    private static void Flows()
    {
        Say("BeatAsync", acts: false);
        s_kept.Add(BeatAsync());

        // Its end is handed on to a task that nobody awaits.
        Say("PulseAsync", acts: false);
        Task<Task> started = Task.Factory.StartNew(PulseAsync, CancellationToken.None, TaskCreationOptions.None, TaskScheduler.Default);
        started.Wait();
        s_kept.Add(started.Unwrap());

        Say("AnswerAsync", acts: true);
        s_kept.Add(AnswerAsync());

        // Somebody is told of its end.
        Say("PartAsync", acts: true);
        s_kept.Add(PartAsync().ContinueWith(_ => s_done.Set(), TaskScheduler.Default));

        // Who awaits it acts behind it.
        Say("InnerAsync", acts: true);
        s_kept.Add(OuterAsync());
    }

    private static void Timer(string name, bool acts, TimerCallback called)
    {
        Say(name, acts);
        s_kept.Add(new Timer(called, null, s_long, s_long));
    }

    private static Thread Start(string name, bool acts, ThreadStart run)
    {
        Say(name, acts);
        return Stage.Start(name, run);
    }

    private static void Say(string name, bool acts) => Console.WriteLine($"mover Movers.Program.{name} acts={acts}");

    private static void Look(object? state) => Console.Error.WriteLine($"seen {++s_seen}, open {s_orders.Count}, done {s_done.IsSet}");

    private static void LookAtGauge(object? state) => Console.Error.WriteLine(s_gauge.Level);

    private static void Open(object? state) => s_done.Set();

    private static void RingBell(object? state) => s_bell.Ring(1);

    private static void Watch()
    {
        while (true)
        {
            Thread.Sleep(s_long);
            Console.Error.WriteLine($"{s_orders.Count} of {s_orders.BoundedCapacity}");
        }
    }

    private static void Send()
    {
        while (true)
        {
            Thread.Sleep(s_long);
            s_orders.Add(1);
        }
    }

    private static async Task BeatAsync()
    {
        while (true)
        {
            await Task.Delay(s_long);
            Console.Error.WriteLine(DateTime.UtcNow);
        }
    }

    private static async Task PulseAsync()
    {
        using PeriodicTimer timer = new(s_long);
        while (await timer.WaitForNextTickAsync())
        {
            Console.Error.WriteLine(Interlocked.Increment(ref s_seen));
        }
    }

    private static async Task AnswerAsync()
    {
        await Task.Delay(s_long);
        s_answer.SetResult();
    }

    private static async Task PartAsync()
    {
        await Task.Delay(s_long);
        Console.Error.WriteLine("a part");
    }

    private static async Task OuterAsync()
    {
        Console.Error.WriteLine(await InnerAsync());
        s_done.Set();
    }

    private static async Task<int> InnerAsync()
    {
        await Task.Delay(s_long);
        return s_seen;
    }

    private interface IGauge
    {
        int Level { get; }
    }

    private interface IBell
    {
        void Ring(int times);
    }

    private sealed class Gauge : IGauge
    {
        public int Level => s_seen;
    }

    private sealed class Bell(ManualResetEventSlim done) : IBell
    {
        public void Ring(int times)
        {
            for (int time = 0; time < times; time++)
            {
                done.Set();
            }
        }
    }
}
