using System.Collections.Concurrent;

namespace PrimitiveWaits;

/// <summary>
/// Threads in waits for the locks and signals of System.Threading beyond monitors, each printed as the capture should see
/// it. They start in this order, each when the one before is in its wait.
/// </summary>
internal static class Program
{
    private static readonly List<Waiter> s_waiters = [];

    private static void Main()
    {
        ReaderWriterLockSlim ledger = new();
        ReaderWriterLockSlim book = new();
        ReaderWriterLockSlim upgraded = new();
        ReaderWriterLockSlim lost = new();
        SemaphoreSlim permits = new(2, 2);
        SemaphoreSlim gate = new(0, 1);
        ManualResetEventSlim opened = new(initialState: false);
        CountdownEvent remaining = new(3);
        Barrier meeting = new(5);
        Mutex mutex = new();
        AutoResetEvent signal = new(initialState: false);
        Semaphore kernelSemaphore = new(0, 1);
        BlockingCollection<int> queue = new();
        Counter counter = new();
        using ManualResetEvent never = new(initialState: false);

        RunHot(never);
        Thread leaver = new(lost.EnterReadLock);
        leaver.Start();
        leaver.Join();

        Waiter sleeper = Add("sleeper", "-", "-", Nothing, () => Thread.Sleep(Timeout.Infinite));
        Add("reader-1", "-", "-", ledger.EnterReadLock, () => Thread.Sleep(Timeout.Infinite));
        Add("reader-2", "-", "-", () => { ledger.EnterReadLock(); book.EnterReadLock(); }, () => Thread.Sleep(Timeout.Infinite));
        Add("writer", "ReaderWriterLock", "reader-1+reader-2", Nothing, ledger.EnterWriteLock);
        Add("writer-behind-the-lost", "ReaderWriterLock", "-", Nothing, lost.EnterWriteLock);
        Add("upgrader", "ReaderWriterLockReaders", "reader-2", book.EnterUpgradeableReadLock, book.EnterWriteLock);
        Add("second-upgrader", "ReaderWriterLockUpgrade", "upgrader", Nothing, book.EnterUpgradeableReadLock);
        Add("write-owner", "-", "-", upgraded.EnterWriteLock, () => Thread.Sleep(Timeout.Infinite));
        Add("reader-behind-writer", "ReaderWriterLock", "write-owner", Nothing, upgraded.EnterReadLock);
        Add("upgrader-behind-writer", "ReaderWriterLock", "write-owner", Nothing, () => upgraded.TryEnterUpgradeableReadLock(TimeSpan.FromHours(1)));
        Add("joiner", "Thread", "sleeper", Nothing, sleeper.Thread.Join);
        Add("timed-joiner", "Thread", "sleeper", Nothing, () => sleeper.Thread.Join(TimeSpan.FromHours(2)));
        Add("careful-joiner", "Thread", "?", Nothing, () => _ = JoinOwnAsync());
        Add("permit-waiter", "SemaphoreSlim", "-", () => { permits.Wait(); permits.Wait(); }, permits.Wait);
        Add("async-behind", "SemaphoreSlim", "-", () => _ = gate.WaitAsync(), () => { gate.Wait(); gate.Release(); });
        Add("queue-taker", "SemaphoreSlim", "-", Nothing, () => queue.Take());
        Add("slim-event-waiter", "ManagedEvent", "-", Nothing, opened.Wait);
        Add("countdown-waiter", "ManagedEvent", "-", Nothing, remaining.Wait);
        Add("barrier-waiter", "ManagedEvent", "-", Nothing, meeting.SignalAndWait);
        Add("mutex-owner", "-", "-", () => mutex.WaitOne(), () => Thread.Sleep(Timeout.Infinite));
        Add("mutex-waiter", "Mutex", "-", Nothing, () => mutex.WaitOne());
        Add("event-waiter", "Event", "-", Nothing, () => signal.WaitOne());
        Add("semaphore-waiter", "Semaphore", "-", Nothing, () => kernelSemaphore.WaitOne());
        Add("any-waiter", "Event+Semaphore", "-", Nothing, () => WaitHandle.WaitAny([signal, kernelSemaphore]));
        Add("all-waiter", "Event+Mutex", "-", Nothing, () => WaitHandle.WaitAll([signal, mutex]));
        Add("spin-owner", "-", "-", counter.Enter, () => Thread.Sleep(Timeout.Infinite));
        Add("spinner", "SpinLock", "spin-owner", Nothing, counter.Enter);

        foreach (Waiter waiter in s_waiters)
        {
            Console.WriteLine(waiter);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        never.WaitOne();
        GC.KeepAlive(mutex);
    }

    private static Waiter Add(string name, string kind, string on, Action hold, Action wait)
    {
        Waiter waiter = new(name, kind, on, hold, wait);
        s_waiters.Add(waiter);
        waiter.StartAndSettle(spins: kind == "SpinLock");
        return waiter;
    }

    // A method that is called often gets code of its own in place of what was compiled with the framework, and other frames.
    private static void RunHot(WaitHandle handle)
    {
        for (long start = Environment.TickCount64; Environment.TickCount64 < start + 500;)
        {
            handle.WaitOne(0);
            WaitHandle.WaitAny([handle, handle], 0);
        }
    }

    // Where exceptions are caught, as in an async method, optimised code has no frame of Join, and calls into the runtime by a stub of
    // its own.
    // The thread has no name among these.
    private static async Task JoinOwnAsync()
    {
        await Task.CompletedTask;
        Thread own = new(() => Thread.Sleep(Timeout.Infinite)) { IsBackground = true };
        own.Start();
        own.Join();
    }

    private static void Nothing()
    {
    }
}
