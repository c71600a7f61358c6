using HangTriage.Facts;

namespace HangTriage.Capture.Linux.Damage;

/// <summary>
/// Takes back what was concluded from something not being there, where memory was lost: a thread that has ended, a task
/// that nothing refers to.
/// </summary>
internal static class Distrust
{
    private const string Lost = "a part of the input is lost, and what would show it may have been there";

    public static ManagedFacts Of(ManagedFacts facts) => facts with
    {
        Locks = facts.Locks.Select<IReadOnlyList<LockFacts>>(locks => [.. locks.Select(OfLock)]),
        Tasks = facts.Tasks.Select(graph => graph with { Tasks = [.. graph.Tasks.Select(OfTask)] }),
    };

    private static LockFacts OfLock(LockFacts @lock) => @lock.OwnerHasEnded != true ? @lock : @lock with
    {
        OwnerHasEnded = null,
        Owner = Known<ThreadId>.Unknown(new Gap("owner", $"the thread that took the lock reads as one that has ended; {Lost}") { IsLoss = true }),
    };

    private static TaskFacts OfTask(TaskFacts task)
        => task with { Needs = [.. task.Needs.Select(need => need.Kind == TaskNeedKind.Nobody ? need with { Kind = TaskNeedKind.Unknown, Source = Lost } : need)] };
}
