using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Healthy;

/// <summary>Threads in every usual wait, and some that do progress. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        object bell = new();
        using AutoResetEvent signal = new(initialState: false);
        using ManualResetEventSlim slimSignal = new();
        using SemaphoreSlim semaphore = new(0);
        using BlockingCollection<int> queue = [];
        using ReaderWriterLockSlim shared = new();
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();

        Idler sleeper = new("sleeper", () => Thread.Sleep(Timeout.Infinite));
        Idler[] idlers =
        [
            sleeper,
            new("joiner", () => sleeper.Thread.Join()),
            new("pulse-waiter", () => WaitForPulse(bell)),
            new("event-waiter", () => signal.WaitOne()),
            new("slim-event-waiter", () => slimSignal.Wait()),
            new("semaphore-waiter", semaphore.Wait),
            new("queue-taker", () => queue.Take()),
            new("reader-1", () => Read(shared)),
            new("reader-2", () => Read(shared)),
            new("input-reader", ReadInput, waitsInRuntime: false),
            new("acceptor", () => listener.AcceptSocket().Dispose(), waitsInRuntime: false),
            new("task-waiter", WaitForDelays, waitsInRuntime: false),
        ];
        foreach (Idler idler in idlers)
        {
            idler.Start();
        }

        Relay relay = new();
        relay.Start();
        Task.Run(() => Thread.CurrentThread.IsThreadPoolThread).Wait();

        while (!relay.HasGoneRound || !idlers.All(idler => idler.IsIdle))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void WaitForPulse(object bell)
    {
        lock (bell)
        {
            Monitor.Wait(bell);
        }
    }

    private static void Read(ReaderWriterLockSlim shared)
    {
        shared.EnterReadLock();
        Thread.Sleep(Timeout.Infinite);
    }

    private static void ReadInput()
    {
        while (Console.In.ReadLine() is not null)
        {
        }

        Thread.Sleep(Timeout.Infinite);
    }

    private static void WaitForDelays()
    {
        while (true)
        {
            Task.Delay(TimeSpan.FromMilliseconds(50)).Wait();
        }
    }
}
