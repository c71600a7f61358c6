namespace HangTriage.Tests.Support.States;

/// <summary>Says what of a sample's state is not in a dump.</summary>
public static class StateCheck
{
    private const int MostThreads = 8;

    /// <summary>The first thing that is not as it has to be, and what is there instead; null where all is.</summary>
    public static string? Missing(IEnumerable<StateExpectation> state, StateFacts dump)
        => state.Where(expected => !Holds(expected, dump)).Select(expected => $"not {expected}: {Found(expected, dump)}").FirstOrDefault();

    private static bool Holds(StateExpectation expected, StateFacts dump)
        => expected.Heap is not null ? dump.IsHeapWhole
            : expected.Lock is not null ? dump.Locks.Any(found => IsAs(expected, found, dump))
            : expected.AtLeast is { } least ? CountOf(expected, dump) >= least
            : CountOf(expected, dump) == (expected.Count ?? 1);

    private static int CountOf(StateExpectation expected, StateFacts dump)
        => dump.Threads.Count(thread => (expected.Thread is null || thread.Is(expected.Thread)) && thread.IsIn(expected.In) && !thread.IsInAny(expected.NotIn));

    private static bool IsAs(StateExpectation expected, StateLock found, StateFacts dump)
        => found.Type.EndsWith(expected.Lock!, StringComparison.Ordinal)
            && (expected.Owner is null || OwnerOf(found, dump).Any(owner => owner == expected.Owner))
            && (expected.Waiters is null || found.Waiters == expected.Waiters);

    private static string[] OwnerOf(StateLock found, StateFacts dump)
        => dump.Threads.FirstOrDefault(thread => thread.OsId == found.Owner) is { } owner ? [owner.Name, owner.Role] : ["gone"];

    private static string Found(StateExpectation expected, StateFacts dump)
        => expected.Heap is not null ? "it is being collected"
            : expected.Lock is not null
                ? $"held are {string.Join(", ", dump.Locks.Select(found => $"{found.Type} by {string.Join('/', OwnerOf(found, dump))} with {found.Waiters} waiters"))}"
            : string.Join("; ", dump.Threads.Where(thread => expected.Thread is null || thread.Is(expected.Thread)).Take(MostThreads));
}
