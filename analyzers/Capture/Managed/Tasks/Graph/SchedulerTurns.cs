using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// Which threads have to make progress before a scheduler runs what is queued to it. The halves of a
/// ConcurrentExclusiveSchedulerPair take turns: while an exclusive task runs, nothing else of the pair does.
/// </summary>
internal sealed class SchedulerTurns
{
    private readonly ILookup<ulong, (ClrObject Scheduler, ThreadId Thread)> _running;

    /// <param name="running">The tasks that run, each with its thread.</param>
    public SchedulerTurns(IEnumerable<(ClrObject Task, ThreadId Thread)> running)
        => _running = running
            .Select(pair => (Scheduler: Schedulers.Of(pair.Task), pair.Thread))
            .Where(pair => !pair.Scheduler.IsNull)
            .Distinct()
            .ToLookup(pair => Schedulers.TurnsOf(pair.Scheduler).Address);

    /// <summary>What a task that is queued needs; nothing where another thread may run it.</summary>
    /// <param name="task">The task.</param>
    /// <param name="isAnyEnough">Whichever of them is done first runs it.</param>
    public IReadOnlyList<TaskNeedFacts> NeedsOf(ClrObject task, out bool isAnyEnough)
    {
        ClrObject scheduler = Schedulers.Of(task);
        (ClrObject Scheduler, ThreadId Thread)[] running = scheduler.IsNull ? []
            : [.. _running[Schedulers.TurnsOf(scheduler).Address].DistinctBy(pair => pair.Thread)];
        bool isOne = Schedulers.RunsOneAtATime(scheduler) || running.Any(pair => Schedulers.RunsOneAtATime(pair.Scheduler));

        // A scheduler that does not say how many threads it has would let another one run what is queued, if it had one.
        if (running.Length == 0 || !(isOne || running.Length == (Schedulers.MostAtOnce(scheduler) ?? running.Length)))
        {
            isAnyEnough = false;
            return [];
        }

        isAnyEnough = !isOne && running.Length > 1;
        string turn = running.Length == 1 ? "of whose tasks one runs on this thread alone"
            : isAnyEnough ? "whose tasks run on this thread and others"
            : "whose turn this thread has";
        return
        [
            .. running.Select(pair => new TaskNeedFacts
            {
                Kind = TaskNeedKind.Context,
                Thread = pair.Thread,
                IsPosted = true,
                Trust = isOne ? Trust.Derived : Trust.Assumed,
                Source = $"scheduler of the task, {turn}: {scheduler.Type?.Name}",
            }),
        ];
    }
}
