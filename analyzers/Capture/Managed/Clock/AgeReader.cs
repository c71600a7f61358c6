using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using HangTriage.Facts.Time;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>Says how old waits are, by the times that the runtime notes itself, once everything else has been read.</summary>
internal sealed class AgeReader
{
    private const string What = "time of the capture";
    private const string Taken = "noted by the thread pool";
    private const string Monitor = "noted by the monitor";
    private const string Lock = "noted by the lock";

    private readonly ClrRuntime _runtime;
    private readonly CaptureContext _context;
    private readonly ClockReader _clock;
    private readonly Lazy<MonitorStamps?> _monitors;

    private AgeReader(
        ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, MonitorTable? monitors, CaptureContext context)
    {
        _runtime = runtime;
        _context = context;
        _clock = new ClockReader(runtime, threads, walked, context);
        _monitors = new Lazy<MonitorStamps?>(
            () => monitors is not null && MonitorStamps.AreKept(runtime) ? new MonitorStamps(runtime, threads, walked, monitors) : null);
    }

    /// <param name="runtime">The runtime.</param>
    /// <param name="threads">Its threads that live.</param>
    /// <param name="walked">Their frames.</param>
    /// <param name="monitors">Its sync blocks; null where they are not known.</param>
    /// <param name="facts">What has been read of it.</param>
    /// <param name="flows">Its suspended methods; null where they were not read.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <param name="ofTimers">The moment of the capture on the clock of timers; null where it is not known.</param>
    public static ManagedFacts Add(
        ClrRuntime runtime,
        IReadOnlyList<ClrThread> threads,
        ThreadFrames walked,
        MonitorTable? monitors,
        ManagedFacts facts,
        FlowInventory? flows,
        CaptureContext context,
        out ClockFacts? ofTimers)
    {
        ofTimers = null;
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        try
        {
            return new AgeReader(runtime, threads, walked, monitors, context).Add(facts, flows, out ofTimers);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return facts with { Clock = Known<ClockFacts>.Unknown(Attempt.Failed(What, e)) };
        }
    }

    private ManagedFacts Add(ManagedFacts facts, FlowInventory? flows, out ClockFacts? moment)
    {
        IReadOnlyList<WaitFacts> waits = facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? known) ? known : [];
        SetTimer[] timers = [.. PendingTimers.Of(_runtime, _context).Select(SetTimer.Of).OfType<SetTimer>()];
        Known<ClockFacts>? read = _clock.Read(waits, timers, out ClockFacts? ofTimers);
        moment = ofTimers;
        ManagedFacts aged = facts with { Clock = read };
        if (ofTimers is not null)
        {
            aged = aged with
            {
                Pool = aged.Pool?.Select(pool => pool with { Overdue = OverdueOf(timers, ofTimers) }),
                Flows = flows is null ? aged.Flows : aged.Flows?.Select(found => WithAges(found, flows, ofTimers)),
            };
        }

        return read is { HasValue: true } ? WithAges(aged, waits, read.Value) : aged;
    }

    private ManagedFacts WithAges(ManagedFacts facts, IReadOnlyList<WaitFacts> waits, ClockFacts clock)
    {
        ILookup<LockId, ThreadId> waiters =
            waits.Where(wait => wait.Kind == WaitKind.Acquire).ToLookup(wait => wait.Lock, wait => wait.Thread);
        return facts with
        {
            Locks = facts.Locks.Select<IReadOnlyList<LockFacts>>(
                locks => [.. locks.Select(own => own with { Starvation = StarvationOf(own, [.. waiters[own.Id]], clock) })]),
            Waits = facts.Waits.Select<IReadOnlyList<WaitFacts>>(
                list => [.. list.Select(wait => wait with { Since = SinceOf(wait, clock), Timeout = TimeoutOf(wait, clock) })]),
            Pool = facts.Pool?.Select(pool => pool with { LastTaken = LastTaken(clock) }),
        };
    }

    private Age? LastTaken(ClockFacts clock)
        => PoolReader.Instance(new StaticObjects(_runtime)) is { IsNull: false } pool
            && Pool.Fields.Read<uint>(pool, "_separated", "lastDequeueTime").TryGet(out uint noted)
                ? Ages.OfCount(clock, noted, 32, Taken)
                : null;

    private Age? StarvationOf(LockFacts own, IReadOnlyList<ThreadId> waiters, ClockFacts clock)
        => waiters.Count == 0 || own.WaiterCount.Is(count => count == 0) ? null
            : own.Id.Kind == LockKind.Monitor && _monitors.Value?.Of(own.Id.Address, waiters) is { } stamp
                ? Ages.OfCount(clock, stamp, 32, Monitor)
            : own.Id.Kind == LockKind.ManagedLock && StampOf(own.Id.Address) is { } start ? Ages.OfCount(clock, start, 16, Lock)
            : null;

    // dotnet/runtime: Lock.cs; 0 where nobody waits.
    private ushort? StampOf(Address @lock)
        => Pool.Fields.Read<ushort>(_runtime.Heap.GetObject(@lock.Value), "_waiterStartTimeMs").TryGet(out ushort start) && start != 0
            ? start
            : null;

    // A wait with a limit began as long before its end.
    private Age? SinceOf(WaitFacts wait, ClockFacts clock)
        => ClockReader.HasReadLimit(wait) && _clock.Ends.TryGetValue(wait.Thread, out TimeSpan end)
            ? Ages.Of(clock, end - wait.Timeout.Value, ClockReader.Limit)
            : null;

    // What the runtime does not record the kernel was told: how long the wait lasts yet, at most.
    private Known<TimeSpan> TimeoutOf(WaitFacts wait, ClockFacts clock)
        => !wait.Timeout.HasValue && _clock.Ends.TryGetValue(wait.Thread, out TimeSpan end)
            ? Known.Derived(end > clock.AtLeast ? end - clock.AtLeast : TimeSpan.Zero)
            : wait.Timeout;

    private static OverdueTimers OverdueOf(SetTimer[] timers, ClockFacts clock)
    {
        Age[] overdue =
        [
            .. timers.Where(timer => timer.DueAt < clock.AtLeast)
                .Select(timer => Ages.Of(clock, timer.DueAt, SetTimer.Source)).OfType<Age>(),
        ];
        return new OverdueTimers((uint)overdue.Length, overdue.MaxBy(age => age.AtLeast));
    }

    private FlowsFacts WithAges(FlowsFacts facts, FlowInventory flows, ClockFacts clock)
        => facts with
        {
            Groups =
            [
                .. facts.Groups.Zip(flows.Groups, (group, own) => WithAges(group, own, flows, clock)),

                // What was split off the others has no age of its own.
                .. facts.Groups.Skip(flows.Groups.Count),
            ],
        };

    private FlowGroup WithAges(FlowGroup group, FlowGrouping own, FlowInventory flows, ClockFacts clock)
    {
        List<Age> ages = [];
        foreach (ulong box in own.Boxes)
        {
            _context.Step();
            if (TimerOf(box, flows) is { } timer && Ages.Of(clock, timer.SetAt, SetTimer.Source) is { } age)
            {
                ages.Add(age);
            }
        }

        return ages.Count == 0 ? group
            : group with { Since = ages.MaxBy(age => age.AtLeast), Youngest = ages.Count > 1 ? ages.MinBy(age => age.AtLeast) : null };
    }

    private SetTimer? TimerOf(ulong box, FlowInventory flows)
        => flows.Boxes.Find(box) is { } flow && flows.Resolver.Of(flow.Awaited) is { Timed: not 0 } awaited
            ? SetTimer.Of(PendingTimers.Behind(_runtime.Heap.GetObject(awaited.Timed)))
            : null;
}
