using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Who can still end waits.</content>
public sealed partial class SnapshotBuilder
{
    private IReadOnlyList<FailedGiver>? _failedConsumers;
    private readonly Dictionary<ThreadId, WaitReach> _threadReach = [];
    private readonly Dictionary<Address, WaitReach> _flowReach = [];
    private string? _runs;

    /// <summary>A thread waits for a signal; the object is named as the target's type or field is.</summary>
    public SnapshotBuilder WaitsForSignal(uint thread, ulong address, string name, TimeSpan? timeout = null)
    {
        LockId id = new(LockKind.ManagedEvent, new Address(address));
        return LockWithoutOwner(id).Named(id, name).Waits(thread, id, timeout, WaitKind.Signal);
    }

    /// <summary>Nothing that runs can end what the thread waits for; these lead to it and wait themselves.</summary>
    public SnapshotBuilder Lost(uint thread, params IReadOnlyList<ReachHolder> holders)
    {
        _threadReach[new ThreadId(thread)] = new WaitReach { Holders = holders };
        return this;
    }

    /// <summary>The same for what the async methods wait for that have this sample.</summary>
    public SnapshotBuilder LostFlow(ulong sample, params IReadOnlyList<ReachHolder> holders)
    {
        _flowReach[new Address(sample)] = new WaitReach { Holders = holders };
        return this;
    }

    /// <summary>Nobody comes any more to these methods, which alone end what the async methods wait for that have this sample.</summary>
    public SnapshotBuilder LostFlowOf(ulong sample, params IReadOnlyList<string> givers)
    {
        _flowReach[new Address(sample)] = new WaitReach { Users = givers, Givers = givers, Holders = [] };
        return this;
    }

    /// <summary>Of those that lead to what the thread waits for, and wait themselves, this other one waits for an answer from outside.</summary>
    public SnapshotBuilder AnsweredBy(uint thread, uint other, IReadOnlyList<ReachHolder> holders)
        => Reached(new ThreadId(thread), new WaitReach { By = FlowRoot.InputOutput, Thread = new ThreadId(other), Holders = holders });

    /// <summary>This thread leads to what the other waits for.</summary>
    public SnapshotBuilder ReachedBy(uint thread, uint other) => Reached(new ThreadId(thread), new WaitReach { By = FlowRoot.Thread, Thread = new ThreadId(other), Holders = [] });

    /// <summary>A timer leads to what the async methods wait for that have this sample.</summary>
    public SnapshotBuilder FlowReachedByTimer(ulong sample)
    {
        _flowReach[new Address(sample)] = new WaitReach { By = FlowRoot.Timer, Holders = [] };
        return this;
    }

    /// <summary>A timer leads to what the thread waits for.</summary>
    public SnapshotBuilder ReachedByTimer(uint thread) => Reached(new ThreadId(thread), new WaitReach { By = FlowRoot.Timer, Holders = [] });

    /// <summary>Only these threads, which wait themselves, lead to the task.</summary>
    public SnapshotBuilder InHandsOf(ulong task, params IReadOnlyList<uint> threads)
    {
        _tasks[new Address(task)] = _tasks[new Address(task)] with { Reach = new WaitReach { Holders = [.. threads.Select(thread => new ReachHolder { Thread = new ThreadId(thread) })] } };
        return this;
    }

    public SnapshotBuilder Reached(ThreadId thread, WaitReach reach)
    {
        _threadReach[thread] = reach;
        return this;
    }

    /// <summary>Static fields lead to all of these.</summary>
    public SnapshotBuilder InStatics()
    {
        foreach (ThreadId thread in _threadReach.Keys.ToArray())
        {
            _threadReach[thread] = _threadReach[thread] with { IsInStatic = true };
        }

        foreach (Address flow in _flowReach.Keys.ToArray())
        {
            _flowReach[flow] = _flowReach[flow] with { IsInStatic = true };
        }

        return this;
    }

    /// <summary>What the thread waits for is in a static field, which these methods fill; nothing that is left can come to them.</summary>
    public SnapshotBuilder LostInField(uint thread, params IReadOnlyList<string> givers)
        => Reached(new ThreadId(thread), new WaitReach { IsInStatic = true, Users = givers, Givers = givers, Holders = [new ReachHolder { Thread = new ThreadId(thread) }] });

    /// <summary>The same, where the other thread can come to one of them; and to what is waited for in no other way, if so.</summary>
    public SnapshotBuilder InFieldOf(uint thread, uint other, bool isAlone, params IReadOnlyList<string> givers)
        => Reached(new ThreadId(thread), new WaitReach
        {
            By = FlowRoot.Thread, Thread = new ThreadId(other), Users = givers, Givers = givers, IsByGiversAlone = isAlone, Holders = [],
        });

    /// <summary>What the thread waits for it has made itself, and gives to nobody.</summary>
    public SnapshotBuilder Unshared(uint thread)
    {
        int index = _waits.FindIndex(wait => wait.Thread == new ThreadId(thread));
        _waits[index] = _waits[index] with { IsUnshared = true };
        return this;
    }

    /// <summary>Something of the program runs.</summary>
    public SnapshotBuilder Running(string what)
    {
        _runs = what;
        return this;
    }

    private SnapshotBuilder Named(LockId id, string name)
    {
        _locks[id] = _locks[id] with { Name = Known.Read(name) };
        return this;
    }

    /// <summary>A method that took one thing after the other has failed, and is not begun again.</summary>
    public SnapshotBuilder FailedConsumer(FailedGiver failed)
    {
        _failedConsumers = [failed];
        return this;
    }

    private Known<ReachFacts>? BuildReach()
        => _threadReach.Count + _flowReach.Count == 0 && _runs is null ? null
            : Known.Derived(new ReachFacts
            {
                IsQuiet = _runs is null,
                Runs = _runs,
                Followed = _threadReach.Count + _flowReach.Count,
                FailedConsumers = _failedConsumers,
            });

    private WaitFacts WithReach(WaitFacts wait) => _threadReach.TryGetValue(wait.Thread, out WaitReach? reach) ? wait with { Reach = reach } : wait;

    private FlowGroup WithReach(FlowGroup group) => _flowReach.TryGetValue(group.Sample, out WaitReach? reach) ? group with { Waits = group.Waits with { Reach = reach } } : group;
}
