using Samples;

namespace TaskWaits;

/// <summary>Threads that block on tasks in every way, each printed as the capture should see it.</summary>
internal static class Program
{
    private const string Timer = "Timer:3600";
    private const long HeapWithoutCollection = 64 << 20;

    private static readonly CancellationTokenSource s_cancellation = new();
    private static volatile uint s_runner;
    private static volatile uint s_asyncRunner;
    private static TaskScheduler? s_scheduler;

    private static void Main()
    {
        // What nobody completes is not collected before the dump.
        bool isKept = GC.TryStartNoGCRegion(HeapWithoutCollection);
        int collections = GC.CollectionCount(0);
        using SemaphoreSlim taken = new(0);
        Blocked? self = null;
        Blocked? scheduled = null;
        Blocked? continued = null;
        Blocked[] all =
        [
            New("result", "Promise", "Unknown", Shapes.Kept),
            New("lost", "Promise", "Nobody", Shapes.Lost),
            New("timed", "Delay", Timer, () => Task.Delay(TimeSpan.FromHours(1)), task => task.Wait(7_200_000), 7_200_000),
            New("get-result", "AsyncMethod", Timer, () => Shapes.AwaitsAsync(() => Shapes.AwaitsAsync(Shapes.StaysInContextAsync)), task => task.GetAwaiter().GetResult()),
            New("unwrapped", "Unwrap", Timer, Shapes.Unwrapped),
            New("when-all", "WhenAll", $"Nobody,{Timer}", Shapes.AllOf),
            New("when-any", "WhenAny", $"Nobody,Nobody,{Timer}", Shapes.AnyOf),
            New("wait-all", "Delay", $"Nobody,{Timer}", () => Task.Delay(TimeSpan.FromHours(1)), task => Task.WaitAll(task, Shapes.Lost())),
            New("wait-any", "Delay", $"Nobody,{Timer}", () => Task.Delay(TimeSpan.FromHours(1)), task => Task.WaitAny(task, Shapes.Lost())),
            New("continued", "Delegate", Timer, Shapes.Continued),
            New("time-limited", "Other", $"Nobody,{Timer}", Shapes.TimeLimited),
            New("pooled", "AsyncMethod", Timer, Shapes.PooledAsync),
            New("as-task", "AsyncMethod", Timer, Shapes.AsTask),
            New("writes", "AsyncMethod", "Unknown", Shapes.WritesToFull),
            New("ticks", "AsyncMethod", "Unknown", Shapes.NextTick),
            New("receives", "AsyncMethod", "Io", Shapes.ReceiveAsync),
            New("semaphore-by-await", "AsyncMethod", "Unknown", () => Shapes.EnterAsync(taken)),
            New("semaphore-taken-twice", "AsyncMethod", "Nobody", () => Shapes.EnterTwiceAsync(new SemaphoreSlim(1, 1))),
            New("semaphore-with-token", "AsyncMethod", "Nobody,Unknown", () => new SemaphoreSlim(0).WaitAsync(s_cancellation.Token)),
            New("semaphores-crosswise", "WhenAll", "Nobody,Nobody", Shapes.EnterCrosswise),
            New("semaphore", "-", "", () => Task.CompletedTask, _ => taken.Wait()),
            New("endless-delay", "Delay", "Nobody", () => Task.Delay(Timeout.Infinite)),
            New("cancellable-delay", "Delay", "Unknown", () => Shapes.CancellableDelay(s_cancellation.Token)),
            new("runs", "Delegate", () => $"Thread:0x{s_runner:x}", StartRunner, task => task.Wait()),
            new("runs-async", "AsyncMethod", () => $"Thread:0x{s_asyncRunner:x}", StartAsyncRunner, task => task.Wait()),
            New("in-async-method", "AsyncMethod", Timer, () => Task.CompletedTask, _ => Shapes.BlockInAsync(() => Shapes.AwaitsAsync(() => Task.Delay(TimeSpan.FromHours(1)))).Wait()),
            self = new("context", "AsyncMethod", () => $"Context:0x{self!.OsId:x},{Timer}", () => Task.CompletedTask, _ => InLoop(BlockContext)),
            scheduled = new("context-of-scheduler", "Delegate", () => $"Context:0x{scheduled!.OsId:x}", () => Task.CompletedTask, _ => OwnScheduler.BlockOnItself()),
            continued = new("context-of-continuation", "AsyncMethod", () => $"Context:0x{continued!.OsId:x}", () => Task.CompletedTask, _ => OwnScheduler.BlockOnItsContinuation()),
            New("context-scheduler", "Delegate", () => $"Context:0x{self!.OsId:x}", PostToContext),
            New("free-of-context", "AsyncMethod", Timer, () => Task.CompletedTask, _ => InLoop(() => Shapes.AwaitsAsync(() => Task.Delay(TimeSpan.FromHours(1))))),
        ];
        foreach (Blocked blocked in all)
        {
            blocked.Start();
            WaitUntil(() => blocked.IsBlocked);
        }

        WaitUntil(() => ThreadPool.PendingWorkItemCount == 0 && s_runner != 0 && s_asyncRunner != 0);
        Blocked queued = New("queued", "Delegate", "PoolQueue", BehindBusyWorkers);
        queued.Start();
        WaitUntil(() => queued.IsBlocked);
        foreach (Blocked blocked in all.Append(queued))
        {
            Console.WriteLine(blocked);
        }

        if (!isKept || GC.CollectionCount(0) != collections)
        {
            throw new InvalidOperationException("The heap was collected, and what nobody completes with it.");
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static Blocked New(string name, string kind, Func<string> ends, Func<Task> begin)
        => new(name, kind, ends, begin, task => task.Wait());

    private static Blocked New(string name, string kind, string ends, Func<Task> begin, Action<Task>? wait = null, int timeout = -1)
        => new(name, kind, () => ends, begin, wait ?? (task => task.Wait()), timeout);

    private static void InLoop(Func<Task> begin) => new Loop().Run(() => begin().Wait());

    private static Task BlockContext()
    {
        s_scheduler = TaskScheduler.FromCurrentSynchronizationContext();
        return Shapes.StaysInContextAsync();
    }

    private static Task PostToContext()
        => Task.Factory.StartNew(() => { }, CancellationToken.None, TaskCreationOptions.None, s_scheduler!);

    private static Task StartRunner()
        => Task.Factory.StartNew(SleepForEver, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static Task StartAsyncRunner()
    {
        TaskCompletionSource begun = new();
        Task task = Shapes.RunAfterAsync(begun.Task, () =>
        {
            s_asyncRunner = NativeThreadId.Current;
            Thread.Sleep(Timeout.Infinite);
        });
        new Thread(begun.SetResult) { IsBackground = true }.Start();
        return task;
    }

    private static void SleepForEver()
    {
        s_runner = NativeThreadId.Current;
        Thread.Sleep(Timeout.Infinite);
    }

    /// <summary>A task that waits in the pool's queue, since every worker that there may be sleeps.</summary>
    private static Task BehindBusyWorkers()
    {
        int workers = Environment.ProcessorCount;
        ThreadPool.SetMinThreads(workers, 1);
        ThreadPool.SetMaxThreads(workers, workers);
        using CountdownEvent busy = new(workers);
        for (int index = 0; index < workers; index++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    busy.Signal();
                    Thread.Sleep(Timeout.Infinite);
                },
                null);
        }

        busy.Wait();
        return Task.Run(() => { });
    }

    private static void WaitUntil(Func<bool> condition)
    {
        while (!condition())
        {
            Thread.Sleep(1);
        }
    }
}
