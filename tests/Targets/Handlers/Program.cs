using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Samples;

namespace Handlers;

/// <summary>
/// Waits whose end is up to a delegate, to an object that is to be disposed of, or to a thread that has what is waited for in its hands.
/// Each is told with who can end it.
/// </summary>
internal static class Program
{
    private static readonly List<Task> s_tasks = [];
    private static readonly List<Thread> s_threads = [];
    private static readonly ManualResetEventSlim s_printing = new();

    private static void Main()
    {
        Ring();
        Enter();
        Print();
        s_printing.Wait();
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Ring()
    {
        // The event is raised by a thread that has ended.
        Bell bell = new();
        Tell("LostEventAsync", "-", "-", new LostWaiter(bell).LostEventAsync());
        Thread ended = new(bell.RingOnce);
        ended.Start();
        ended.Join();

        // By one that lives, but the handler is no longer there.
        Gong gong = new();
        RemovedWaiter removed = new(gong);
        Tell("RemovedHandlerAsync", "-", "-", removed.RemovedHandlerAsync());
        removed.Remove();
        Start(gong.Strike, "gong");

        // By one that lives.
        Horn horn = new();
        Tell("RaisedEventAsync", "Thread", "-", new RaisedWaiter(horn).RaisedEventAsync());
        Start(horn.Blow, "horn");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Enter()
    {
        // The key of the lock is with a method that waits for the lock; with one that sleeps.
        Tell("EnterAgainAsync", "-", "-", new Desk().EnterAgainAsync());
        Hall hall = new();
        s_tasks.Add(hall.HoldAsync());
        Tell("EnterBehindAsync", "any", "Timer", hall.EnterBehindAsync());

        Table table = new();
        s_tasks.Add(table.GetAsync("EUR"));
        table.Open();
    }

    // A thread has what another one waits for in its hands.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Print()
    {
        BlockingCollection<(string Page, CountdownEvent Printed)> pages = [];
        Start(() => PrintAll(pages), "printer");
        Start(() => Await(pages), "author");
        Console.WriteLine("author by=Thread sure=Thread");
    }

    private static void Tell(string name, string by, string sure, Task task)
    {
        s_tasks.Add(task);
        Console.WriteLine($"{name} by={by} sure={sure}");
    }

    private static void Start(ThreadStart run, string name)
    {
        Thread thread = new(run) { IsBackground = true, Name = name };
        s_threads.Add(thread);
        thread.Start();
    }

    private static void PrintAll(BlockingCollection<(string Page, CountdownEvent Printed)> pages)
    {
        foreach ((_, CountdownEvent printed) in pages.GetConsumingEnumerable())
        {
            s_printing.Set();
            Thread.Sleep(TimeSpan.FromHours(1));
            printed.Signal();
        }
    }

    private static void Await(BlockingCollection<(string Page, CountdownEvent Printed)> pages)
    {
        using CountdownEvent printed = new(1);
        pages.Add(("title", printed));
        printed.Wait();
    }
}
