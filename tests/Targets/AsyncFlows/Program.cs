namespace AsyncFlows;

/// <summary>Suspended async methods of every shape, each printed as the capture should see it. With arguments: many of one shape.</summary>
internal static class Program
{
    private const long HeapWithoutCollection = 64 << 20;

    private static readonly List<Task> s_flows = [];
    private static readonly HeldContext s_held = new();
    private static readonly CancellationTokenSource s_stop = new();
    private static readonly PeriodicTimer s_ticks = new(TimeSpan.FromHours(1));

    private static void Main(string[] args)
    {
        // What nothing refers to is not collected before the dump.
        GC.TryStartNoGCRegion(HeapWithoutCollection);
        if (args is [string shape, string count])
        {
            GC.EndNoGCRegion();
            Many.Of(shape, int.Parse(count, System.Globalization.CultureInfo.InvariantCulture));
        }
        else
        {
            Begin();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Begin()
    {
        CatalogCache cache = new();
        cache.TakeAsync().Wait();
        s_flows.AddRange(Enumerable.Range(0, 40).Select(cache.GetAsync));
        s_flows.Add(cache.GetWithTimeoutAsync(s_stop.Token));
        s_flows.Add(Shapes.PromiseAsync());
        s_flows.Add(Shapes.DelayAsync());
        s_flows.Add(Shapes.EndlessAsync());
        s_flows.Add(Shapes.UntilCancelledAsync(s_stop.Token));
        s_flows.Add(Shapes.LimitedAsync());
        s_flows.Add(Shapes.WriteAsync());
        s_flows.Add(Shapes.ReadAsync());
        s_flows.Add(Shapes.ReadSingleAsync());
        s_flows.Add(Shapes.ForEachAsync());
        s_flows.Add(Shapes.AllAsync());
        s_flows.Add(Shapes.AnyAsync());
        s_flows.Add(Shapes.OuterAsync());
        Shapes.ForgetAsync();
        s_flows.Add(Shapes.PooledCallerAsync());
        s_flows.Add(Shapes.TickAsync(s_ticks));
        s_flows.Add(Shapes.ReceiveAsync());
        s_flows.Add(Shapes.Lambda());
        s_flows.Add(Shapes.Local());
        s_flows.Add(Shapes.DeepAsync(100));
        Shapes.Lost();
        SynchronizationContext.SetSynchronizationContext(s_held);
        s_flows.Add(Shapes.YieldAsync());
        SynchronizationContext.SetSynchronizationContext(null);
        foreach (Expected expected in All())
        {
            Console.WriteLine(expected);
        }

        Console.WriteLine("lost=3");
    }

    private static IEnumerable<Expected> All() =>
    [
        new("CatalogCache.GetAsync", "Semaphore", 40) { Label = "CatalogCache._gate", Counts = "0/1", Root = "Static" },
        new("CatalogCache.GetWithTimeoutAsync", "Semaphore") { Label = "CatalogCache._gate", Counts = "0/1", Ends = "timer,token" },
        new("Shapes.PromiseAsync", "Task") { Label = "Shapes.s_promise" },
        new("Shapes.DelayAsync", "Delay") { Ends = "timer", Root = "Timer" },
        new("Shapes.EndlessAsync", "InfiniteDelay") { Root = "Static" },
        new("Shapes.UntilCancelledAsync", "CancellationOnly") { Ends = "token" },
        new("Shapes.LimitedAsync", "Task") { Label = "Shapes.s_promise", Ends = "timer" },
        new("Shapes.WriteAsync", "Channel") { Label = "Shapes.s_full", Counts = "2/2" },
        new("Shapes.ReadAsync", "Channel") { Label = "Shapes.s_empty" },
        new("Shapes.ReadSingleAsync", "Channel") { Label = "Shapes.s_single" },
        new("Shapes.ForEachAsync", "AsyncMethod") { Label = "Shapes.ItemsAsync" },
        new("Shapes.ItemsAsync", "Task") { By = "Shapes.ForEachAsync" },
        new("Shapes.AllAsync", "WhenAll"),
        new("Shapes.AnyAsync", "WhenAny"),
        new("Shapes.OuterAsync", "AsyncMethod") { Label = "Shapes.MiddleAsync" },
        new("Shapes.MiddleAsync", "AsyncMethod") { Label = "Shapes.LeafAsync", By = "Shapes.OuterAsync" },
        new("Shapes.LeafAsync", "Task", 3),
        new("Shapes.ForgetAsync", "Task"),
        new("Shapes.PooledCallerAsync", "AsyncMethod") { Label = "Shapes.PooledAsync" },
        new("Shapes.PooledAsync", "Task") { By = "Shapes.PooledCallerAsync" },
        new("Shapes.TickAsync", "Timer") { Ends = "timer" },
        new("Shapes.ReceiveAsync", "InputOutput") { Root = "InputOutput" },
        new("Shapes.YieldAsync", "Queued") { State = "QueuedToResume" },
        new("Shapes.DeepAsync", "AsyncMethod", 100) { Label = "Shapes.DeepAsync" },
        new("Shapes.DeepAsync", "AsyncMethod") { Label = "Shapes.DeepestAsync", By = "Shapes.DeepAsync" },
        new("Shapes.DeepestAsync", "Task") { Label = "Shapes.s_promise", By = "Shapes.DeepAsync" },
    ];
}
