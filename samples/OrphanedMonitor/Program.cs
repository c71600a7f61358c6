using Samples;

namespace OrphanedMonitor;

/// <summary>A thread ends inside a monitor that two others need. See README.md.</summary>
internal static class Program
{
    private static readonly Ledger s_ledger = new();

    private static void Main()
    {
        Stage.Start("leaver", Leave).Join();
        Stage.ReadyWhenAllWait(Stage.Start("clerk-1", Book), Stage.Start("clerk-2", Book));
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
