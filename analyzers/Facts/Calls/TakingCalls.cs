namespace HangTriage.Facts.Calls;

/// <summary>
/// Calls by whose names something is taken to work on it: out of a queue, a channel, a connection, a walk over a collection. They tell a
/// loop that has something in hand from one that only pauses and looks.
/// </summary>
public static class TakingCalls
{
    private const string Walks = "MoveNext";
    private const string Wait = "Wait";
    private const string Threads = "System.Threading.";
    private const string Tasks = Threads + "Tasks.";
    private const string Semaphore = Threads + "SemaphoreSlim";
    private const string Blocking = "System.Collections.Concurrent.BlockingCollection";

    private static readonly string[] s_verbs =
    [
        "Take", "TryTake", "Receive", "TryReceive", "Read", "TryRead", "Dequeue", "TryDequeue", "Accept", "Consume", "Poll", "Fetch", "Pop",
        "TryPop", "GetContext", "Wait",
    ];

    // They read numbers out of memory.
    private static readonly string[] s_others =
    [
        "System.Threading.Volatile", "System.Threading.Interlocked", "System.Buffers.", "System.BitConverter", "System.Text.",
        "System.Runtime.",
    ];

    /// <param name="type">The type that declares the method.</param>
    /// <param name="method">The method.</param>
    /// <param name="parameters">The types of its parameters.</param>
    public static bool Contains(string type, string method, IReadOnlyList<string> parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        return Contains(type, method) && !IsPause(type, method, parameters);
    }

    // The next tick, and a wait with a limit, which tells that nothing has come: mostly that nobody wants the loop to end.
    private static bool IsPause(string type, string method, IReadOnlyList<string> parameters)
        => method.StartsWith(Wait, StringComparison.Ordinal) && type.StartsWith(Threads, StringComparison.Ordinal)
            && (type == Threads + "PeriodicTimer" || parameters.Any(parameter => parameter is "Int32" or "System.TimeSpan"));

    private static bool Contains(string type, string method)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(method);
        return Array.Exists(s_verbs, verb => method.StartsWith(verb, StringComparison.Ordinal)
                && (method.Length == verb.Length || !char.IsAsciiLetterLower(method[verb.Length])))
            && !Array.Exists(s_others, other => type.StartsWith(other, StringComparison.Ordinal));
    }

    /// <summary>
    /// The call ends only when another thread gives something: whoever comes to it is behind that one. Entries of a semaphore are taken as
    /// locks are, which ends by itself unless it is the semaphore that is asked for.
    /// </summary>
    /// <param name="type">The type that declares the method.</param>
    /// <param name="method">The method.</param>
    /// <param name="ofSemaphore">What is asked for is an entry of such a semaphore.</param>
    public static bool WaitsForOthers(string type, string method, bool ofSemaphore)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(method);
        return type == Semaphore ? ofSemaphore && method.StartsWith(Wait, StringComparison.Ordinal)
            : type.StartsWith(Threads, StringComparison.Ordinal) && !type.StartsWith(Tasks, StringComparison.Ordinal)
                ? method.StartsWith(Wait, StringComparison.Ordinal)
            : type.StartsWith(Blocking, StringComparison.Ordinal) && method is "Take" or "TakeFromAny" or "GetConsumingEnumerable";
    }

    /// <summary>The next of a walk: of a collection, or of what a queue gives out.</summary>
    public static bool IsWalk(string method) => method is Walks or Walks + "Async";
}
