using System.Collections.Concurrent;
using System.Linq.Expressions;
using Samples;

namespace StaticWaits;

/// <summary>
/// Threads that wait for what static fields hold, beside a timer that ticks. Each is printed with who can still come to code that ends its
/// wait: nobody, a thread, a timer, or code that is not the program's.
/// </summary>
internal static class Program
{
    private static readonly ManualResetEventSlim s_unset = new();
    private static readonly ManualResetEventSlim s_lonely = new();
    private static readonly AutoResetEvent s_fed = new(initialState: false);
    private static readonly AutoResetEvent s_starved = new(initialState: false);
    private static readonly SemaphoreSlim s_ticked = new(0);
    private static readonly ManualResetEvent s_resumed = new(initialState: false);
    private static readonly ManualResetEvent s_overridden = new(initialState: false);
    private static readonly ManualResetEvent s_compiled = new(initialState: false);
    private static readonly BlockingCollection<int> s_items = [];
    private static readonly List<Thread> s_threads = [];
    private static readonly List<object> s_kept = [];
    private static bool s_isLate;

    private static void Main()
    {
        s_kept.Add(new Timer(_ => Tick(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        s_kept.Add(ResumeAsync());
        s_kept.Add((Rule)new OpeningRule());
        Expression<Action> compiled = () => Compiled();
        s_kept.Add(compiled.Compile());
        Ended(Load);
        Ended(Feed);
        Ended(() => s_items.Add(1));
        if (s_isLate)
        {
            Compiled();
        }

        Thread feeder = new(FeedForEver) { Name = "feeder", IsBackground = true };
        feeder.Start();
        Add("unset", "-", () => s_unset.Wait());
        Add("lonely", "-", () => s_lonely.Wait());
        Add("starved", "-", Starve);
        Add("items", "-", Take);
        Add("fed", "Thread", () => s_fed.WaitOne());
        Add("ticked", "Timer", () => s_ticked.Wait());
        Add("resumed", "Timer", () => s_resumed.WaitOne());
        Add("overridden", "Static", () => s_overridden.WaitOne());
        Add("compiled", "Static", () => s_compiled.WaitOne());
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    private static void Add(string name, string by, Action wait)
    {
        s_threads.Add(Stage.Start(name, () => wait()));
        Console.WriteLine($"name={name} by={by}");
    }

    private static void Ended(ThreadStart work)
    {
        Thread thread = new(work);
        thread.Start();
        thread.Join();
    }

    private static void Load()
    {
        if (s_isLate)
        {
            s_unset.Set();
        }
    }

    // Three items were promised, and two come.
    private static void Feed()
    {
        s_starved.Set();
        s_starved.Set();
    }

    private static void Starve()
    {
        for (int seen = 0; seen < 3; seen++)
        {
            s_starved.WaitOne();
        }
    }

    private static void Take()
    {
        foreach (int item in s_items.GetConsumingEnumerable())
        {
            s_isLate = item > 1;
        }
    }

    private static void FeedForEver()
    {
        while (true)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            s_fed.Set();
        }
    }

    private static void Tick() => s_ticked.Release();

    private static async Task ResumeAsync()
    {
        await Task.Delay(TimeSpan.FromHours(1));
        s_resumed.Set();
    }

    private static void Compiled() => s_compiled.Set();

    private abstract class Rule
    {
        public abstract void Apply();
    }

    private sealed class OpeningRule : Rule
    {
        public override void Apply() => s_overridden.Set();
    }
}
