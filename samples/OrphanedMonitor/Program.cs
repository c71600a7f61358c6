using Samples;

namespace OrphanedMonitor;

/// <summary>A thread ends inside a monitor that two others need. See README.md.</summary>
internal static class Program
{
    private static readonly Ledger s_ledger = new();

    private static void Main()
    {
        Warmth.Up(BookBehindLeaver);
        Stage.Start("leaver", Leave).Join();
        Stage.ReadyWhenAllWait(Stage.Start("clerk-1", Book), Stage.Start("clerk-2", Book));
    }

    // The leaver gives the lock back when two wait for it.
    private static void BookBehindLeaver()
    {
        using SemaphoreSlim hasLock = new(0);
        using SemaphoreSlim areWaiting = new(0);
        Thread leaver = Stage.Start("leaver", () =>
        {
            Leave();
            hasLock.Release();
            areWaiting.Wait();
            Monitor.Exit(s_ledger);
        });
        hasLock.Wait();
        Thread[] clerks = [Stage.Start("clerk-1", Book), Stage.Start("clerk-2", Book)];
        Warmth.AwaitWaits(clerks);
        areWaiting.Release();
        Warmth.Join([leaver, .. clerks]);
    }

    private static void Leave()
    {
        Monitor.Enter(s_ledger);
        if (s_ledger.IsClosed)
        {
            Monitor.Exit(s_ledger);
        }
    }

    private static void Book()
    {
        lock (s_ledger)
        {
            Console.WriteLine("never printed");
        }
    }
}
