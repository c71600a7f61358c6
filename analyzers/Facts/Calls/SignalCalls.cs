namespace HangTriage.Facts.Calls;

/// <summary>The methods of .NET that end others' waits for a signal, and those that wait for one of the same kind themselves.</summary>
public static class SignalCalls
{
    private const string Threading = "System.Threading.";
    private const string Promise = Threading + "Tasks.TaskCompletionSource";
    private const string Collection = "System.Collections.Concurrent.BlockingCollection";

    // By the beginning of the full name. A bounded collection waits on semaphores of its own: who takes makes room, who adds brings.
    private static readonly string[] s_ends =
    [
        Threading + "SemaphoreSlim.Release", Threading + "Semaphore.Release",
        Threading + "ManualResetEventSlim.Set", Threading + "EventWaitHandle.Set",
        Threading + "CountdownEvent.Signal", Threading + "Barrier.SignalAndWait",
        Threading + "Monitor.Pulse",
        Promise + ".Set", Promise + ".TrySet", Promise + "`1.Set", Promise + "`1.TrySet",
        Collection + ".Take", Collection + ".TryTake", Collection + ".GetConsumingEnumerable",
        Collection + "`1.Take", Collection + "`1.TryTake", Collection + "`1.GetConsumingEnumerable",
    ];

    private static readonly string[] s_waits =
    [
        Threading + "SemaphoreSlim.Wait", Threading + "WaitHandle.Wait",
        Threading + "ManualResetEventSlim.Wait", Threading + "CountdownEvent.Wait",
        Threading + "Barrier.SignalAndWait", Threading + "Monitor.Wait",
        Collection + ".Add", Collection + ".TryAdd", Collection + "`1.Add", Collection + "`1.TryAdd",
    ];

    public static bool Ends(string method) => StartsWithAny(method, s_ends);

    public static bool Waits(string method) => StartsWithAny(method, s_waits);

    /// <summary>An object of the type has the signals that its methods wait for.</summary>
    public static bool HasSignals(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return type.StartsWith(Collection, StringComparison.Ordinal)
            || type.StartsWith(Promise, StringComparison.Ordinal)
            || type is Threading + "CountdownEvent" or Threading + "ManualResetEventSlim" or Threading + "SemaphoreSlim";
    }

    private static bool StartsWithAny(string method, string[] starts)
    {
        ArgumentNullException.ThrowIfNull(method);
        return Array.Exists(starts, start => method.StartsWith(start, StringComparison.Ordinal));
    }
}
