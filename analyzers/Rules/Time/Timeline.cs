using HangTriage.Facts;

namespace HangTriage.Rules.Time;

/// <summary>
/// Answers since when: for a thread, a lock's owner and a task, over all samples of a case. One sample is an instant and
/// answers nothing.
/// </summary>
internal sealed class Timeline
{
    private readonly IReadOnlyList<EarlierSample> _latestFirst;
    private readonly ILookup<ThreadId, WaitFacts> _waits;
    private readonly ProcessSnapshot _last;
    private readonly Dictionary<ThreadId, uint> _completed;
    private readonly string? _heapMark;

    /// <param name="case">The case.</param>
    /// <param name="waits">What each thread waits for in the sample that is judged.</param>
    public Timeline(Case @case, ILookup<ThreadId, WaitFacts> waits)
    {
        _latestFirst = [.. @case.Earlier.Select(earlier => new EarlierSample(earlier.Sample, earlier.Join.Between)).Reverse()];
        _waits = waits;
        _last = @case.Last;
        ManagedFacts? managed = _last.Managed is { } section && section.TryGet(out ManagedFacts? known) ? known : null;
        _completed = EarlierSample.CompletedIn(managed);
        _heapMark = managed?.Flows is { } flows && flows.TryGet(out FlowsFacts? suspended) ? suspended.HeapMark : null;
    }

    /// <summary>There is no sample to compare with.</summary>
    public bool IsOneInstant => _latestFirst.Count == 0;

    /// <summary>Null without an earlier sample, or where the thread did not live then or has no stack in one of them.</summary>
    public ThreadHistory? Of(ThreadFacts thread)
        => thread.Stack.Frames.Count == 0 ? null : Walk(
            sample => sample.Find(thread) is { Stack.Frames.Count: > 0 } then ? then : null,
            (sample, then) => Place.IsSame(thread, then) && CompletedSince(sample, thread) is null or 0,
            (sample, then, samples) => new ThreadHistory(
                sample.Before, samples, WaitChange.IsSame(_waits[thread.OsId], sample.WaitsOf(thread.OsId)), CpuBetween(then.Cpu, thread.Cpu))
            {
                Switches = SwitchesBetween(then.Kernel, thread.Kernel),
                Ready = thread.Kernel?.Ready - then.Kernel?.Ready is { } ready && ready >= TimeSpan.Zero ? ready : null,
                Completed = CompletedSince(sample, thread),
                IsOpen = then.Cpu.HasValue != thread.Cpu.HasValue || !sample.KnowsWaitsLike(_last),
            });

    /// <summary>Null where the thread was not at work in every sample, or no state of it was read.</summary>
    public WorkHistory? OfWork(ThreadFacts thread, WorkFacts now)
    {
        List<(WorkFacts, Known<TimeSpan>)> earlier = [];
        bool hasRunEachTime = true;
        ThreadFacts last = thread;
        foreach (EarlierSample sample in _latestFirst)
        {
            if (sample.WorkOf(thread) is not { Frames.Count: > 0 } work || work.IsPausing != now.IsPausing)
            {
                return null;
            }

            // Who was at work in the sample is in it.
            ThreadFacts then = sample.Find(thread)!;
            earlier.Add((work, sample.Before));
            hasRunEachTime &= CpuBetween(then.Cpu, last.Cpu) >= Thresholds.LeastWork;
            last = then;
        }

        bool? hasRun = Of(thread) switch
        {
            null => null,
            { HasWaitedAnew: true } when now.IsPausing => true,
            _ when hasRunEachTime && !now.IsPausing => true,
            { HasWorked: var hasWorked } => hasWorked,
        };
        return now.Frames.Count > 0 && earlier.Count > 0 && WorkHistory.Of(now, earlier, hasRun, hasRunEachTime) is { } found
            ? Of(thread) is { Completed: > 0 }
                ? found with { HasChanged = true, Stay = WorkStay.Moves }
                : found with { HasRunEachTime = hasRunEachTime }
            : null;
    }

    /// <summary>Null without an earlier sample that has the lock and says who held it, and for a lock whose owner is not known.</summary>
    public LockHistory? Of(LockFacts @lock)
        => !@lock.Owner.TryGet(out ThreadId owner) ? null : Walk(
            sample => sample.Find(@lock) is { } then && (then.Owner.HasValue || then.IsHeld.Is(isHeld => !isHeld)) ? then : null,
            (_, then) => then.Owner.Is(ownerThen => ownerThen == owner),
            (sample, then, samples) => then.Owner.TryGet(out ThreadId ownerThen)
                ? new LockHistory(sample.Before, samples, ownerThen, sample.Find(ownerThen))
                : new LockHistory(sample.Before, samples, null, null));

    /// <summary>Null without an earlier sample that has the task and its state, and for a task whose state is not known.</summary>
    public TaskHistory? Of(TaskFacts task)
        => !task.State.TryGet(out TaskState state) ? null : Walk(
            sample => sample.Find(task) is { State.HasValue: true } then ? then : null,
            (_, then) => then.State.Value == state,
            (sample, then, samples) => new TaskHistory(sample.Before, samples, then.State.Value));

    /// <summary>
    /// None of these async methods waited for the same thing in an earlier sample: whoever did then has gone on, as these may. False where
    /// that is not known.
    /// </summary>
    public bool HasMovedOn(FlowGroup group)
        => _latestFirst.Count > 0 && _latestFirst.Any(sample => sample.HadAny(group, _heapMark) == false);

    /// <summary>Goes back through the samples for as long as nothing has changed.</summary>
    private THistory? Walk<TFact, THistory>(
        Func<EarlierSample, TFact?> find, Func<EarlierSample, TFact, bool> isSame, Func<EarlierSample, TFact, int, THistory> describe)
        where TFact : class
        where THistory : class
    {
        THistory? history = null;
        int samples = 1;
        foreach (EarlierSample sample in _latestFirst)
        {
            if (find(sample) is not { } then)
            {
                break;
            }

            if (!isSame(sample, then))
            {
                return history ?? describe(sample, then, samples);
            }

            history = describe(sample, then, ++samples);
        }

        return history;
    }

    private uint? CompletedSince(EarlierSample sample, ThreadFacts thread)
        => _completed.TryGetValue(thread.OsId, out uint now) && sample.CompletedBy(thread.OsId) is { } then ? unchecked(now - then) : null;

    private static long? SwitchesBetween(KernelThreadFacts? then, KernelThreadFacts? now)
        => then is not null && now is not null && then.Switches.TryGet(out long start) && now.Switches.TryGet(out long end) && end >= start ? end - start : null;

    private static TimeSpan? CpuBetween(Known<CpuTime> then, Known<CpuTime> now)
        => then.TryGet(out CpuTime? start) && now.TryGet(out CpuTime? end) && end.Total() >= start.Total() ? end.Total() - start.Total() : null;
}
