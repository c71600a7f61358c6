using System.Collections.Concurrent;
using System.Reflection;
using System.Threading.Channels;
using Samples;

namespace GivenSignals;

/// <summary>
/// Threads and async methods that wait for what variables hold, of several kinds, beside timers that have the same objects and only look at
/// them. Each is printed with who can still come to code that ends its wait (nobody, a timer, a thread, or code that is not the program's),
/// and with who surely does.
/// </summary>
internal static partial class Program
{
    private static readonly List<Thread> s_threads = [];
    private static readonly List<object> s_kept = [];
    private static readonly List<Action> s_loosen = [];

    private static async Task Main()
    {
        Items();
        Steps();
        Lanes();
        Rows();
        Parts();
        Turns();
        Returns();
        Passes();
        Rounds();
        Coils();
        Hoops();
        Stamps();
        Marks();
        Walks();
        Rings();
        Leases();
        Keys();
        Tills();
        Strides();
        Seats();
        Chances();
        Doors();
        Ticks();
        Slots();
        Replies();
        Pulses();
        Letters();
        Boxes();
#if NET10_0_OR_GREATER
        Frames();
#endif
        Pages();
        Sheets();
        Belts();
        Laps();
        Gates();
        Timers();
        await Task.Yield();
        ThreadRest.Await(() => s_threads.All(ThreadRest.IsAtRest));
        s_loosen.ForEach(loosen => loosen());
        Stage.Ready();
    }

    // Whoever was to add items has ended.
    private static void Items()
    {
        BlockingCollection<int> items = [];
        Ended(() => items.Add(1));
        Watched(() => items.Count);
        Add("items", "-", "-", () =>
        {
            foreach (int item in items.GetConsumingEnumerable())
            {
                s_kept.Add(item);
            }
        });
    }

    // One of two has left without a word.
    private static void Steps()
    {
        Barrier steps = new(2);
        Ended(() => { });
        Watched(() => steps.ParticipantsRemaining);
        Add("steps", "-", "-", () => steps.SignalAndWait());
    }

    // The one that is missing comes when it wakes.
    private static void Lanes()
    {
        Barrier lanes = new(2);
        Watched(() => lanes.ParticipantsRemaining);
        Thread late = new(() =>
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            lanes.SignalAndWait();
        })
        { Name = "late", IsBackground = true };
        late.Start();
        Add("lanes", "Thread", "Thread", () => lanes.SignalAndWait());
    }

    // Of two that are missing one has ended.
    private static void Rows()
    {
        CountdownEvent rows = new(2);
        Watched(() => rows.CurrentCount);
        Thread late = new(() =>
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            rows.Signal();
        })
        { Name = "later", IsBackground = true };
        late.Start();
        Add("rows", "Thread", "-", () => rows.Wait());
    }

    // By an interface of the program's own.
    private static void Parts()
    {
        CountdownEvent parts = new(2);
        IPart part = new Part(parts);
        Ended(() => part.Done());
        Watched(() => parts.CurrentCount);
        Add("parts", "-", "-", () => parts.Wait());
    }

    // A thread that sleeps gives it back when it wakes.
    private static void Turns()
    {
        SemaphoreSlim turns = new(0);
        Watched(() => turns.CurrentCount);
        Thread holder = new(() =>
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            turns.Release();
        })
        { Name = "holder", IsBackground = true };
        holder.Start();
        Add("turns", "Thread", "Thread", () => turns.Wait());
    }

    // What finally is to be done is done, too.
    private static void Returns()
    {
        SemaphoreSlim returns = new(0);
        Watched(() => returns.CurrentCount);
        Thread borrower = new(() =>
        {
            try
            {
                Thread.Sleep(TimeSpan.FromHours(1));
            }
            finally
            {
                returns.Release();
            }
        })
        { Name = "borrower", IsBackground = true };
        borrower.Start();
        Add("returns", "Thread", "Thread", () => returns.Wait());
    }

    // The same in an async method, whose finally block does nothing where it is only suspended.
    private static void Passes()
    {
        SemaphoreSlim passes = new(0);
        Watched(() => passes.CurrentCount);
        s_kept.Add(PassAsync(passes));
        Add("passes", "Thread", "Timer", () => passes.Wait());
    }

    private static async Task PassAsync(SemaphoreSlim passes)
    {
        try
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
        finally
        {
            passes.Release();
        }
    }

    // Behind loops that end by themselves.
    private static void Rounds()
    {
        ManualResetEventSlim rounds = new();
        Watched(() => rounds.SpinCount);
        Thread counter = new(() =>
        {
            for (int round = 0; round < 3; round++)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
            }

            foreach (object kept in new List<object>(s_kept))
            {
                Console.WriteLine(kept);
            }

            rounds.Set();
        })
        { Name = "counter", IsBackground = true };
        counter.Start();
        Add("rounds", "Thread", "Thread", () => rounds.Wait());
    }

    // Behind a loop that only somebody else ends, in one that ends by itself.
    private static void Coils()
    {
        ManualResetEventSlim coils = new();
        Watched(() => coils.SpinCount);
        Thread winder = new(() =>
        {
            for (int round = 0; round < 3; round++)
            {
                while (s_kept.Count < 1000)
                {
                    Thread.Sleep(TimeSpan.FromHours(1));
                }
            }

            coils.Set();
        })
        { Name = "winder", IsBackground = true };
        winder.Start();
        Add("coils", "Thread", "-", () => coils.Wait());
    }

    // A timer gives it where it is late, which nobody knows.
    private static void Chances()
    {
        SemaphoreSlim chances = new(0);
        s_kept.Add(new Timer(
            _ =>
            {
                if (s_kept.Count > 1000)
                {
                    chances.Release();
                }
            },
            null,
            TimeSpan.FromHours(1),
            TimeSpan.FromHours(1)));
        Add("chances", "Timer", "-", () => chances.Wait());
    }

    // An override that the framework might call.
    private static void Doors()
    {
        Door door = new();
        s_kept.Add(new Timer(door.Look, null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Add("doors", "Timer", "-", () => door.Opened.WaitOne());
    }

    private static void Ticks()
    {
        ManualResetEventSlim ticked = new();
        s_kept.Add(new Timer(_ => ticked.Set(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        Add("ticks", "Timer", "Timer", () => ticked.Wait());
    }

    // The delegate is the method that releases, none of the program's.
    private static void Slots()
    {
        Semaphore slots = new(0, 2);
        Func<int> release = slots.Release;
        s_kept.Add(release);
        Watched(() => release.Method.Name.Length);
        Add("slots", "Timer", "-", () => slots.WaitOne());
    }

    // The answer is in the table; who called those that find it there has ended.
    private static void Replies()
    {
        ConcurrentDictionary<int, TaskCompletionSource<int>> pending = new();
        TaskCompletionSource<int> reply = new();
        pending[7] = reply;
        Ended(() => Tell(pending));
        Watched(() => pending.Count);
        Flow("ReplyAsync", "-", "-", ReplyAsync(reply.Task));
    }

    private static void Tell(ConcurrentDictionary<int, TaskCompletionSource<int>> pending)
    {
        List<Action<int>> listeners = [key => pending.GetOrAdd(key, _ => new TaskCompletionSource<int>()).SetResult(1)];
        listeners.ForEach(listener => listener(8));
    }

    private static async Task ReplyAsync(Task<int> reply) => s_kept.Add(await reply);

    private static void Pulses()
    {
        object gate = new();
        Ended(() =>
        {
            lock (gate)
            {
                Monitor.Pulse(gate);
            }
        });
        Watched(() => Monitor.IsEntered(gate) ? 1 : 0);
        Add("pulses", "-", "-", () =>
        {
            lock (gate)
            {
                Monitor.Wait(gate);
            }
        });
    }

    // The phase that it waits for is over, and nobody has come in the next: it is about to go on.
    private static void Laps()
    {
        Barrier laps = new(2);
        Watched(() => laps.ParticipantsRemaining);
        Add("laps", "Thread", "Thread", () => laps.SignalAndWait());
        s_loosen.Add(() => Field(laps, "_currentTotalCount").SetValue(laps, 2));
    }

    // It is set, and who waits has not noticed yet.
    private static void Gates()
    {
        ManualResetEventSlim gates = new();
        Watched(() => gates.SpinCount);
        Add("gates", "Thread", "Thread", () => gates.Wait());
        FieldInfo state = Field(gates, "m_combinedState", "_combinedState");
        s_loosen.Add(() => state.SetValue(gates, (int)state.GetValue(gates)! | int.MinValue));
    }

    // As the framework leaves them for a moment that no capture is sure to catch.
    private static FieldInfo Field(object of, params string[] names)
        => names.Select(name => of.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)).OfType<FieldInfo>().First();

    private static void Watched(Func<int> look)
        => s_kept.Add(new Timer(_ => Console.WriteLine($"seen={look()}"), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));

    private static void Add(string name, string by, string sure, Action wait)
    {
        s_threads.Add(Stage.Start(name, () => wait()));
        Console.WriteLine($"thread={name} by={by} sure={sure}");
    }

    private static void Flow(string method, string by, string sure, Task flow)
    {
        s_kept.Add(flow);
        Console.WriteLine($"flow={method} by={by} sure={sure}");
    }

    private static void Ended(ThreadStart work)
    {
        Thread thread = new(work);
        thread.Start();
        thread.Join();
    }

    private sealed class Tray
    {
        private readonly Channel<int> _sheets = Channel.CreateUnbounded<int>();

        public ChannelReader<int> Reader => _sheets.Reader;

        public ChannelWriter<int> Writer => _sheets.Writer;
    }

    private sealed class Printer(Tray tray)
    {
        public void Print() => tray.Writer.TryWrite(1);
    }

    private interface IPart
    {
        void Done();
    }

    private sealed class Part(CountdownEvent parts) : IPart, IDisposable
    {
        public void Done() => parts.Signal();

        public void Dispose() => parts.Dispose();
    }

    private abstract class Opening
    {
        public ManualResetEvent Opened { get; } = new(initialState: false);

        public abstract void Open();
    }

    private sealed class Door : Opening, IDisposable
    {
        public override void Open() => Opened.Set();

        public void Dispose() => Opened.Dispose();

        public void Look(object? state) => Console.WriteLine($"open={Opened.WaitOne(0)}");
    }
}
