using Samples;

namespace JoinCycle;

/// <summary>A thread waits, under a lock, for the end of one that needs the lock. See README.md.</summary>
internal static class Program
{
    private static readonly object s_catalogue = new();
    private static readonly ManualResetEventSlim s_isLocked = new();

    private static void Main()
    {
        Thread checker = Stage.Start("checker", Check);
        Thread importer = Stage.Start("importer", () => Import(checker));
        s_isLocked.Wait();
        Stage.ReadyWhenAllWait(importer, checker, Stage.Start("closer", importer.Join));
    }

    private static void Import(Thread checker)
    {
        lock (s_catalogue)
        {
            s_isLocked.Set();
            checker.Join();
        }
    }

    private static void Check()
    {
        s_isLocked.Wait();
        lock (s_catalogue)
        {
            Console.WriteLine("never printed");
        }
    }
}
