using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What is known of who ends a wait, of a thread by its name or of an async method.</summary>
internal static class GivenBy
{
    public static string Ends(ProcessSnapshot snapshot, string name)
    {
        // Whoever has the entry of a semaphore gives it back, and no more is searched for.
        if (HasHolder(snapshot, name))
        {
            return "by=Thread sure=Thread";
        }

        WaitReach reach = ReachOf(snapshot, name);
        return $"by={reach.By?.ToString() ?? "-"} sure={reach.Signaller?.Kind.ToString() ?? "-"}";
    }

    public static WaitReach ReachOf(ProcessSnapshot snapshot, string name)
    {
        ManagedFacts managed = snapshot.Managed!.Value;
        if (managed.Flows!.Value.Groups.FirstOrDefault(group => group.Method.EndsWith(name, StringComparison.Ordinal)) is { } flow)
        {
            return flow.Waits.Reach!;
        }

        ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(found => found == name));
        return managed.Waits.Value.Single(wait => wait.Thread == thread.OsId).Reach!;
    }

    private static bool HasHolder(ProcessSnapshot snapshot, string name)
    {
        ManagedFacts managed = snapshot.Managed!.Value;
        return snapshot.Threads.Value.FirstOrDefault(thread => thread.Name.Is(found => found == name)) is { } thread
            && managed.Waits.Value.FirstOrDefault(wait => wait.Thread == thread.OsId) is { } wait
            && managed.Locks.Value.Any(found => found.Id == wait.Lock && found.Holders is [{ Thread: not null }]);
    }
}
