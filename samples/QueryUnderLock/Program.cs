using Samples;

namespace QueryUnderLock;

/// <summary>A thread runs a parallel query under a lock that the query's workers take. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        Totals totals = new();
        Thread summer = Stage.Start("summer", () => Console.WriteLine(totals.Sum()));
        while (totals.Worker is null)
        {
            Thread.Yield();
        }

        Stage.ReadyWhenAllWait(summer, totals.Worker);
    }
}
