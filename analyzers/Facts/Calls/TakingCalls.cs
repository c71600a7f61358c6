namespace HangTriage.Facts.Calls;

/// <summary>
/// Calls by whose names something is taken to work on it: out of a queue, a channel, a connection, a walk over a collection. They tell a
/// loop that has something in hand from one that only pauses and looks.
/// </summary>
public static class TakingCalls
{
    private const string Walks = "MoveNext";

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
    public static bool Contains(string type, string method)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(method);
        return Array.Exists(s_verbs, verb => method.StartsWith(verb, StringComparison.Ordinal)
                && (method.Length == verb.Length || !char.IsAsciiLetterLower(method[verb.Length])))
            && !Array.Exists(s_others, other => type.StartsWith(other, StringComparison.Ordinal));
    }

    /// <summary>The next of a walk: of a collection, or of what a queue gives out.</summary>
    public static bool IsWalk(string method) => method is Walks or Walks + "Async";
}
