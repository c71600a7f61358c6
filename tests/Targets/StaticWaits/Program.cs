using System.Collections.Concurrent;
using System.Linq.Expressions;
using Samples;

namespace StaticWaits;

/// <summary>
/// Threads that wait for what static fields hold, beside a timer that ticks. Each is printed with who can still come to code that ends its
/// wait: nobody, a thread, a timer, or code that is not the program's; and with whether nothing leads there but code that gives.
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
    private static readonly ManualResetEvent s_shared = new(initialState: false);
    private static readonly ManualResetEvent s_told = new(initialState: false);
    private static readonly BlockingCollection<int> s_items = [];
    private static readonly List<Thread> s_threads = [];
    private static readonly List<object> s_kept = [];
    private static bool s_isLate;

    private static void Main()
    {
        s_kept.Add(new Timer(_ => Tick(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        ManualResetEvent shared = s_shared;
        s_kept.Add(new Timer(_ => Look(shared), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        s_kept.Add(new Timer(_ => Tell(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        s_kept.Add(ResumeAsync());
        s_kept.Add((Rule)new OpeningRule());
        Expression<Action> compiled = () => Compiled();
        s_kept.Add(compiled.Compile());
        Ended(Load);
        Ended(Feed);
        Ended(() => s_items.Add(1));
        Ended(() => Share(s_isLate));
        if (s_isLate)
        {
            Compiled();
        }

        Thread feeder = new(FeedForEver) { Name = "feeder", IsBackground = true };
        feeder.Start();
        Add("unset", "-", isByGivers: false, () => s_unset.Wait());
        Add("lonely", "-", isByGivers: false, () => s_lonely.Wait());
        Add("starved", "-", isByGivers: false, Starve);
        Add("items", "-", isByGivers: false, Take);
        Add("fed", "Thread", isByGivers: true, () => s_fed.WaitOne());
        Add("ticked", "Timer", isByGivers: true, () => s_ticked.Wait());
        Add("resumed", "Timer", isByGivers: true, () => s_resumed.WaitOne());
        Add("shared", "Timer", isByGivers: false, () => s_shared.WaitOne());
        Add("told", "Timer", isByGivers: false, () => s_told.WaitOne());
        Add("overridden", "Static", isByGivers: false, () => s_overridden.WaitOne());
        Add("compiled", "Static", isByGivers: false, () => s_compiled.WaitOne());
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    private static void Add(string name, string by, bool isByGivers, Action wait)
    {
        s_threads.Add(Stage.Start(name, () => wait()));
        Console.WriteLine($"name={name} by={by} givers={isByGivers}");
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

    private static void Share(bool isLate)
    {
        if (isLate)
        {
            s_shared.Set();
        }
    }

    private static void Look(ManualResetEvent shared) => s_isLate = shared.WaitOne(0);

    private static void Tell() => Console.WriteLine($"still closed: {s_told.SafeWaitHandle.IsClosed}");

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
