namespace HangTriage.Facts.Calls;

/// <summary>What is done with an event, a semaphore, a promise or a queue, by the names of the methods that .NET has for that.</summary>
public static class SignalUses
{
    private const string Threading = "System.Threading.";
    private const string Collections = "System.Collections.Concurrent.";

    private static readonly HashSet<string> s_give = new(StringComparer.Ordinal)
    {
        "Set", "SetResult", "TrySetResult", "SetException", "TrySetException", "SetCanceled", "TrySetCanceled", "SetFromTask",
        "TrySetFromTask", "Release", "Signal", "Pulse", "PulseAll", "Add", "TryAdd", "CompleteAdding", "get_Writer", "SignalAndWait", "RemoveParticipant",
    };

    private static readonly string[] s_wait =
    [
        "Wait", "Take", "TryTake", "GetConsumingEnumerable", "get_Task", "get_Reader", "get_IsSet", "get_Count", "get_CurrentCount",
        "get_IsCompleted",
    ];

    /// <summary>A method of such an object, or of the monitor of one.</summary>
    public static bool Has(string type)
        => type.StartsWith(Threading, StringComparison.Ordinal) || type.StartsWith(Collections, StringComparison.Ordinal);

    /// <summary>It brings what others wait for.</summary>
    public static bool Gives(string method) => s_give.Contains(method);

    /// <summary>It waits, or looks, and brings nothing to others.</summary>
    public static bool Waits(string method) => Array.Exists(s_wait, name => method.StartsWith(name, StringComparison.Ordinal));
}
