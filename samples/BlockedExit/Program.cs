using Samples;

namespace BlockedExit;

/// <summary>A thread ends the process under a lock that a handler of the process's exit takes. See README.md.</summary>
internal static class Program
{
    private static readonly List<string> s_drafts = [];
    private static volatile Thread? s_handler;

    private static void Main()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => SaveDrafts();
        _ = Stage.Start("saver", Save);
        while (s_handler is null)
        {
            Thread.Yield();
        }

        Stage.ReadyWhenAllWait(s_handler);
    }

    private static void Save()
    {
        lock (s_drafts)
        {
            Environment.Exit(0);
        }
    }

    private static void SaveDrafts()
    {
        Thread.CurrentThread.Name ??= "finalizer";
        s_handler = Thread.CurrentThread;
        lock (s_drafts)
        {
            Console.WriteLine(s_drafts.Count);
        }
    }
}
