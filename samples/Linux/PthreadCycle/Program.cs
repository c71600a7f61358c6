using Samples;

namespace PthreadCycle;

/// <summary>A circle through a monitor and a mutex of pthreads. See README.md.</summary>
internal static class Program
{
    private static readonly object s_catalog = new();
    private static readonly Barrier s_bothHold = new(3);
    private static uint s_importer;
    private static uint s_callback;

    private static void Main()
    {
        _ = Stage.Start("importer", Import);
        _ = Stage.Start("callback", OnProgress);
        s_bothHold.SignalAndWait();

        // The runtime does not count a call into a library as a wait.
        KernelWait.Await(s_importer);
        KernelWait.Await(s_callback);
        Stage.Ready();
    }

    /// <summary>Holds the catalog and calls into the library.</summary>
    private static void Import()
    {
        s_importer = NativeThreadId.Current;
        lock (s_catalog)
        {
            s_bothHold.SignalAndWait();
            NativeMutex.Enter();
            NativeMutex.Leave();
        }
    }

    /// <summary>The library calls back under its own lock, and the callback wants the catalog.</summary>
    private static void OnProgress()
    {
        s_callback = NativeThreadId.Current;
        NativeMutex.Enter();
        s_bothHold.SignalAndWait();
        lock (s_catalog)
        {
            NativeMutex.Leave();
        }
    }
}
