using Samples;
using Truth.Children;

namespace Truth.Hung;

/// <summary>A mutex of the whole machine that another process has taken and does not give back.</summary>
internal static class MutexOfOther
{
    public static void Run()
    {
        string name = $"truth-ledger-{Environment.ProcessId}";
        Child.StartAndAwait("child-mutex", name);
        using Mutex ledger = new(initiallyOwned: false, MutexHolder.Global + name);
        Thread main = Thread.CurrentThread;
        Ready.When(() => ThreadRest.IsAtRest(main));
        Append(ledger);
    }

    private static void Append(Mutex ledger)
    {
        ledger.WaitOne();
        ledger.ReleaseMutex();
    }
}
