namespace HangTriage.Facts.Calls;

/// <summary>
/// Calls that nobody waits in for something to do: who adds to a full collection has something that has to go on, and how many come to a
/// countdown or a barrier is fixed. Sources: the members of these types in .NET 8 to 10 and .NET Framework 4.8.
/// </summary>
public static class NeededCalls
{
    private const string Threading = "System.Threading.";
    private const string Collection = "System.Collections.Concurrent.BlockingCollection.";

    private static readonly string[] s_room = [Collection + "Add", Collection + "TryAdd"];
    private static readonly string[] s_counting = [Threading + "CountdownEvent.", Threading + "Barrier."];

    /// <summary>The method waits until there is room in a collection.</summary>
    public static bool IsForRoom(string? method) => method is not null && Starts(NameBrackets.Without(method), s_room);

    /// <summary>The method waits until as many have come as are to come.</summary>
    public static bool Counts(string? method) => method is not null && Starts(method, s_counting);

    private static bool Starts(string method, string[] starts)
        => Array.Exists(starts, start => method.StartsWith(start, StringComparison.Ordinal));
}
