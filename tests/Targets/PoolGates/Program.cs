using System.Collections.Concurrent;
using Samples;

namespace PoolGates;

/// <summary>
/// Every worker of the pool waits for a signal, and what gives it is queued behind them: by a static field, by the state of the item, by an
/// object of the closure. A thread of its own waits for a turn, which queued items take and give back.
/// </summary>
internal static class Program
{
    private const int Workers = 6;

    private static readonly SemaphoreSlim s_permits = new(0);
    private static readonly SemaphoreSlim s_turns = new(0);
    private static readonly List<Thread> s_blocked = [];
    private static readonly CountdownEvent s_all = new(Workers);
    private static int s_done;

    private static void Main()
    {
        ThreadPool.SetMinThreads(Workers, 1);
        ThreadPool.SetMaxThreads(Workers, Workers);
        using Journal journal = new();
        Action[] waits = [TakePermit, TakePermit, AwaitMail, AwaitMail, journal.Write, journal.Write];
        foreach (Action wait in waits)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => Block(wait), null);
        }

        Thread turn = Stage.Start("turn", s_turns.Wait);
        s_all.Wait();
        ThreadPool.UnsafeQueueUserWorkItem(_ => TakeTurn(), null);
        Stage.ReadyWhenAllWait([turn, .. s_blocked]);
    }

    // No worker is left that could take what the first of them queue.
    private static void Block(Action wait)
    {
        lock (s_blocked)
        {
            s_blocked.Add(Thread.CurrentThread);
        }

        s_all.Signal();
        s_all.Wait();
        wait();
    }

    private static void TakePermit()
    {
        _ = Task.Run(FinishAsync);
        s_permits.Wait();
    }

    private static async Task FinishAsync()
    {
        await Task.Yield();
        s_done++;
        s_permits.Release();
    }

    private static void AwaitMail()
    {
        ManualResetEventSlim sent = new();
        ThreadPool.UnsafeQueueUserWorkItem(static state => ((ManualResetEventSlim)state!).Set(), sent);
        sent.Wait();
    }

    private static void TakeTurn()
    {
        s_turns.Wait();
        s_turns.Release();
    }

    private sealed class Journal : IDisposable
    {
        private readonly BlockingCollection<int> _lines = new(boundedCapacity: 1) { 0 };

        public void Write()
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => Drain(), null);
            _lines.Add(1);
        }

        public void Dispose() => _lines.Dispose();

        private void Drain() => _lines.TryTake(out _);
    }
}
