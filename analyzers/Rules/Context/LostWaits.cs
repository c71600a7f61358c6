using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The waits that nothing which runs can end, and which of them keeps which from ending.</summary>
internal sealed class LostWaits
{
    // Far more than a report can tell of; each is compared with all others.
    private const int Most = 256;
    private const int MostSteps = 256;

    private readonly RuleContext _context;
    private readonly Dictionary<Address, FlowGroup> _groups = [];
    private readonly Dictionary<LostWait, LostWait[]> _needs = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<LostWait, HashSet<LostWait>> _below = new(ReferenceEqualityComparer.Instance);

    public LostWaits(RuleContext context)
    {
        _context = context;
        foreach (FlowGroup group in context.Flows.Groups)
        {
            _groups.TryAdd(group.Sample, group);
        }

        All = [.. OfThreads().Concat(OfFlows()).Take(Most)];
        foreach (LostWait wait in All)
        {
            _needs.Add(wait, [.. NeededBy(wait).Distinct()]);
        }
    }

    public IReadOnlyList<LostWait> All { get; }

    /// <summary>
    /// What would have to end before this one can: waits of those that hold what it waits for, or whose end leads to it. What merely
    /// could bring it, since one of its variables leads there, is not among them.
    /// </summary>
    public IReadOnlyList<LostWait> Needs(LostWait wait) => _needs[wait];

    /// <summary>The waits that need none but themselves: alone, or in a circle, whose members need each other.</summary>
    public IEnumerable<IReadOnlyList<LostWait>> Ends()
    {
        HashSet<LostWait> told = new(ReferenceEqualityComparer.Instance);
        foreach (LostWait wait in All)
        {
            HashSet<LostWait> below = Below(wait);
            if (!told.Contains(wait) && below.All(other => other == wait || Below(other).Contains(wait)))
            {
                LostWait[] end = [wait, .. below.Where(other => other != wait)];
                told.UnionWith(end);
                yield return end;
            }
        }
    }

    /// <summary>The lost waits that cannot end before this one does.</summary>
    public IEnumerable<LostWait> Behind(LostWait wait) => All.Where(other => other != wait && Below(other).Contains(wait));

    private HashSet<LostWait> Below(LostWait wait)
    {
        if (_below.TryGetValue(wait, out HashSet<LostWait>? known))
        {
            return known;
        }

        HashSet<LostWait> below = new(ReferenceEqualityComparer.Instance);
        _below.Add(wait, below);
        Queue<LostWait> open = new([wait]);
        while (open.TryDequeue(out LostWait? next))
        {
            foreach (LostWait needed in Needs(next).Where(below.Add))
            {
                open.Enqueue(needed);
            }
        }

        return below;
    }

    private IEnumerable<LostWait> OfThreads()
        => _context.Waits
            .Where(wait => wait.Reach is { By: null } && IsEndless(wait) && IsOfProgram(wait.Thread) && !_context.IsInCircle(wait.Thread) && !RunsForRuntime(wait.Thread))
            .GroupBy(wait => wait.Lock)
            .Select(group => new LostWait { Waits = [.. group], Reach = group.First().Reach! });

    private IEnumerable<LostWait> OfFlows()
        => _context.Flows.Groups
            .Where(group => group is { State: FlowState.Suspended, Waits: { EndsByTimer: false, Kind: not FlowWaitKind.WhenAny } }
                && group.Waits.Reach is { } reach
                && (reach.By is null || IsLeftByService(reach) || BlockBefore(group) is not null)
                && (ProgramMethod(group) is not null || IsForLostWork(reach)))
            .Where(group => group is { AwaitedBy.Count: 0 } or { Method: TaskCalls.OfOperation }
                || !Frameworks.IsOfBaseLibrary(group.Method))
            .Select(group => new LostWait { Waits = [], Flow = group, Reach = group.Waits.Reach! });

    /// <summary>
    /// The block of Dataflow that has no room for what the flow sends, since none of its links takes what it has; null where none is seen.
    /// </summary>
    public StuckBlockFacts? BlockBefore(FlowGroup group)
        => group.Waits is { Kind: FlowWaitKind.Task, Address: { } promise }
            ? StuckBlocks.FirstOrDefault(block => block.Links > 0 && block.Waiting?.Contains(promise) == true) : null;

    /// <summary>The blocks of Dataflow whose next item nobody takes; empty where they are not known.</summary>
    public IReadOnlyList<StuckBlockFacts> StuckBlocks
        => _context.Managed?.StuckBlocks is { } known && known.TryGet(out IReadOnlyList<StuckBlockFacts>? blocks) ? blocks : [];

    /// <summary>
    /// The async method that alone was to bring it, and was suspended in the middle where nobody can continue it; null where others could,
    /// or where that is not known.
    /// </summary>
    public string? AbandonedGiver(WaitReach reach)
        => reach is { By: null, Givers: [var first, ..] givers }
            && givers.All(giver => _context.Flows.Abandoned.Any(method => FrameName.OfMethod(method) == FrameName.OfMethod(giver)))
                ? FrameName.OfMethod(first) : null;

    // Nobody comes to code that would bring it: that a token may call the wait off is no reason any more.
    private bool IsLeftByService(WaitReach reach) => reach.IsGivenByNobody && LeftBy(reach).Any();

    /// <summary>
    /// The services of the host that were to bring what nobody brings any more: those that did and have ended, and, where it is not known who
    /// did, those that have failed.
    /// </summary>
    public IEnumerable<EndedServiceFacts> LeftBy(WaitReach reach)
        => _context.Managed?.EndedServices?.Where(service => IsGiver(reach, service) || (reach.IsGivenByNobody && service.HasFailed)) ?? [];

    private static bool IsGiver(WaitReach reach, EndedServiceFacts service)
        => reach.Givers?.Any(giver => FrameName.OfMethod(giver) == FrameName.OfMethod(service.Method)) == true;

    // The end of async methods of the program that nothing can resume, whoever of the framework awaits them.
    private static bool IsForLostWork(WaitReach reach)
        => reach.Holders is { Count: > 0 } holders
            && holders.All(holder => holder is { IsGarbage: true, ByItsEnd: true, IsAtRest: false, Method: { } method }
                && !Frameworks.IsOwn(method));

    /// <summary>The innermost method of the program's own in the chain of an async method; null where all are the framework's.</summary>
    public static string? ProgramMethod(FlowGroup group) => group.AwaitedBy.Prepend(group.Method).FirstOrDefault(method => !Frameworks.IsOwn(method));

    // Where no timeout is recorded, the search took the thread for one that waits without end by its system call.
    private bool IsEndless(WaitFacts wait)
        => wait.Mode is null
            && (wait.Timeout.TryGet(out TimeSpan timeout) ? timeout == Timeout.InfiniteTimeSpan
                : _context.Find(wait.Thread) is { } thread && Timeouts.InCallOf(thread.Thread) != true);

    // Others wait until it has run a finalizer, a static constructor, a callback: that is the matter of the rules for these.
    private bool RunsForRuntime(ThreadId thread) => _context.Locks.Any(held => held.Id.Kind.IsOfRuntime() && held.Owner.Is(owner => owner == thread));

    private bool IsOfProgram(ThreadId thread) => _context.Find(thread) is { } found && found.Thread.Stack.Frames.Any(UserCode.IsManaged);

    private IEnumerable<LostWait> NeededBy(LostWait wait)
    {
        bool holdsItself = wait.Reach.Holders.Any(holder => WaitsAt(holder).Contains(wait));
        foreach (ReachHolder holder in wait.Reach.Holders)
        {
            LostWait[] at = [.. WaitsAt(holder)];
            if (!at.Contains(wait) && (holder.ByItsEnd || IsFirm(wait, holder, holdsItself)))
            {
                foreach (LostWait needed in at)
                {
                    yield return needed;
                }
            }
        }
    }

    // Who has entered a semaphore is past an await. A promise that is in reach of its own waiter is mostly the waiter's own matter.
    private bool IsFirm(LostWait wait, ReachHolder holder, bool holdsItself) => wait.Flow?.Waits switch
    {
        { Kind: FlowWaitKind.Semaphore } => holder.Await > 0,
        { Kind: FlowWaitKind.Task or FlowWaitKind.Custom } => !holdsItself && holder.Flow is not null,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } => holder.Flow is not null && CanMakeRoom(wait.Flow.Waits, holder),
        null => holder.Thread is { } thread && _context.Find(thread) is { } found && IdleWait.Why(_context, found) is null,
        _ => false,
    };

    // Room in a queue comes from who reads it, where that is known; who waits for room in it himself is none of these.
    private bool CanMakeRoom(FlowWait wait, ReachHolder holder)
        => wait.Queue is not { Waits: FlowQueueEnd.Writer }
            || (ReadersOf(wait.Address) is { Count: > 0 } readers
                ? readers.Contains(holder.Method)
                : holder.Flow is not { } flow || !_groups.TryGetValue(flow, out FlowGroup? other) || other.Waits.Queue?.Waits != FlowQueueEnd.Writer || other.Waits.Address != wait.Address);

    private HashSet<string?> ReadersOf(Address? queue)
        => _context.Managed?.QueueReaders is { } known && known.TryGet(out IReadOnlyList<QueueReaderFacts>? readers)
            ? [.. readers.Where(reader => reader.Flow is not null && reader.Queue == queue).Select(reader => reader.Method)]
            : [];

    /// <summary>Where a thread or async method stands in the end.</summary>
    private IEnumerable<LostWait> WaitsAt(ReachHolder holder)
        => holder.Thread is { } thread ? OfThread(thread) : holder.Flow is { } flow ? OfFlow(flow) : [];

    private IEnumerable<LostWait> OfThread(ThreadId thread)
        => All.Where(wait => wait.IsFor(thread)) is var own && own.Any() ? own
            : _context.Graph.From(WaitNode.Of(thread)) switch
            {
                [{ To.Task: { } task }, ..] => OfTask(task),
                [{ To.Thread: { } other }, ..] => All.Where(wait => wait.IsFor(other)),
                _ => [],
            };

    private IEnumerable<LostWait> OfTask(Address task)
    {
        HashSet<Address> tasks = [.. NeededTasks.Of(_context, [task]).Take(MostSteps).Select(needed => needed.Task)];
        return All.Where(wait => wait.Flow is { } flow && tasks.Contains(flow.Sample));
    }

    private IEnumerable<LostWait> OfFlow(Address flow)
    {
        FlowGroup? group = _groups.GetValueOrDefault(flow);
        for (int step = 0; step < MostSteps && group is { Waits.Kind: FlowWaitKind.AsyncMethod }; step++)
        {
            group = group.Waits.Address is { } next && _groups.TryGetValue(next, out FlowGroup? direct) ? direct
                : _groups.Values.FirstOrDefault(other => other.Method == group.Waits.Label);
        }

        return group is null ? []
            : All.FirstOrDefault(wait => wait.Flow == group) is { } own ? [own]
            : All.Where(wait => wait.Flow?.AwaitedBy.Contains(group.Method) == true);
    }
}
