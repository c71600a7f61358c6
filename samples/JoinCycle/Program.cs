using Samples;

namespace JoinCycle;

/// <summary>A thread waits, under a lock, for the end of one that needs the lock. See README.md.</summary>
internal static class Program
{
    private static readonly object s_catalogue = new();
    private static readonly ManualResetEventSlim s_isLocked = new();

    private static void Main()
    {
        Warmth.Up(CheckBesideImport);
        Thread checker = Stage.Start("checker", Check);
        Thread importer = StartImport(checker);
        s_isLocked.Wait();
        Stage.ReadyWhenAllWait(importer, checker, Stage.Start("closer", importer.Join));
    }

    // The import waits for another thread than the one that needs its lock.
    private static void CheckBesideImport()
    {
        Thread checker = Stage.Start("checker", Check);
        using SemaphoreSlim isChecking = new(0);
        Thread importer = StartImport(Stage.Start("other", isChecking.Wait));
        s_isLocked.Wait();
        Thread closer = Stage.Start("closer", importer.Join);
        Warmth.AwaitWaits(checker, importer, closer);
        isChecking.Release();
        Warmth.Join(checker, closer);
        s_isLocked.Reset();
    }

    private static Thread StartImport(Thread checker) => Stage.Start("importer", () => Import(checker));

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
