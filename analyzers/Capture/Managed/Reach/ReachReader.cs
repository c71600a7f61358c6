using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Says of the waits of threads and async methods who can still end them.</summary>
internal sealed class ReachReader
{
    public const string What = "who can end the waits";

    private const int MostUsers = 16;
    private const string WhenAll = "System.Threading.Tasks.Task.WhenAll";

    private readonly ReachSearch _search;
    private readonly ClrHeap _heap;
    private readonly FlowInventory _flows;
    private readonly ReachTokens _tokens;
    private readonly LentConnections _lent;
    private readonly LentToWaiters _lentToWaiters;
    private readonly ReachHolders _holders;
    private readonly ParallelLoops _loops;
    private readonly ReachSignals _signals;
    private readonly ReachMovers _movers;
    private readonly ReachOwn _own;
    private readonly FailedGivers _failed;
    private readonly ReachKeepers _keepers;
    private readonly ReachReturns _returns;
    private readonly ReachBearers _bearers;
    private readonly Func<ProgramUsers?> _users;
    private readonly TokenCallbacks _callbacks;

    private ReachReader(
        ReachSearch search, ClrHeap heap, FlowInventory flows, ReachTokens tokens, LentConnections lent, ReachSignals signals,
        ReachMovers movers,
        ReachOwn own, FailedGivers failed, ReachKeepers keepers, ReachReturns returns, ReachBearers bearers, Func<ProgramUsers?> users)
    {
        _users = users;
        _callbacks = new TokenCallbacks(search.Graph, heap, users);
        _bearers = bearers;
        _returns = returns;
        _keepers = keepers;
        _failed = failed;
        _own = own;
        _movers = movers;
        _signals = signals;
        _search = search;
        _heap = heap;
        _flows = flows;
        _tokens = tokens;
        _lent = lent;
        _lentToWaiters = new LentToWaiters(search, flows, lent);
        _holders = new ReachHolders(search, flows, heap);
        _loops = new ParallelLoops(search, heap, flows);
    }

    /// <param name="runtime">The runtime.</param>
    /// <param name="roots">Its stacks and handles.</param>
    /// <param name="facts">What has been read so far: waits, tasks and async methods.</param>
    /// <param name="fromHeap">What the walk over the heap has found.</param>
    /// <param name="areStacksWhole">Every thread's stack was read.</param>
    /// <param name="hasTimeout">Whether the system call that a thread is in was given a timeout; null where that is not known.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static ManagedFacts Add(
        ClrRuntime runtime, Lazy<RuntimeRoots> roots, ManagedFacts facts, WalkedHeap fromHeap, Func<int, bool> areStacksWhole,
        Func<uint, bool?> hasTimeout, CaptureContext context)
    {
        if (fromHeap.Flows is not { } flows)
        {
            return facts;
        }

        try
        {
            using OptionalReads optional = new(runtime.DataTarget.DataReader);
            return Read(runtime, roots, facts, flows, fromHeap, areStacksWhole, hasTimeout, context);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return facts with { Reach = Known<ReachFacts>.Unknown(Attempt.Failed(What, e)) };
        }
    }

    private static ManagedFacts Read(
        ClrRuntime runtime, Lazy<RuntimeRoots> roots, ManagedFacts facts, FlowInventory flows, WalkedHeap fromHeap,
        Func<int, bool> areStacksWhole, Func<uint, bool?> hasTimeout, CaptureContext context)
    {
        Lazy<ProgramUsers?> code = new(fromHeap.Users);
        Func<ProgramUsers?> users = () => code.Value?.Whole;
        ulong[] ofThreads = [.. (facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : []).Select(ReachStarts.ObjectOf).OfType<ulong>()];
        FlowGroup[] groups = [.. facts.Flows is { } known && known.TryGet(out FlowsFacts? all) ? all.Groups : []];
        IReadOnlyList<TaskFacts> tasks = facts.Tasks.TryGet(out TaskGraphFacts? graph) ? graph.Tasks : [];
        ulong[] ofTasks = [.. tasks.Where(ReachStarts.IsFollowed).Select(task => task.Address.Value)];
        if (ofThreads.Length == 0 && ofTasks.Length == 0 && !groups.Any(group => ReachStarts.IsFollowed(group.Waits) || group.Waits.EndsByToken))
        {
            return facts;
        }

        ReachThreads threads = new(facts, roots.Value.Handles, hasTimeout);
        ReachTimers timers = new(roots.Value.Stacks, threads);
        string? runs = new ReachSources(runtime, roots.Value, threads, timers, facts, context).Running();
        FlowGrouping[] followed = [.. flows.Groups.Zip(groups).Where(pair => ReachStarts.IsFollowed(pair.Second.Waits)).Select(pair => pair.First)];
        LentConnections lent = new(
            runtime.Heap,
            flows,
            flows.Groups.Zip(groups).Where(pair => pair.Second.Waits.Pool?.IsUsedUp() == true).Select(pair => pair.First));
        ReachSearch search = new(runtime, roots.Value, threads, timers, flows, code, runs is null, lent, context);
        ulong[] starts = [.. ofThreads, .. ofTasks, .. followed.SelectMany(group => group.AwaitedObjects)];
        foreach (WaitFacts wait in (waits ?? []).Where(wait => wait.Kind == WaitKind.Pulse))
        {
            if (ReachStarts.ObjectOf(wait) is { } monitor)
            {
                search.Gates.Mark(monitor, SignalFamilies.Pulse);
            }
        }

        foreach (FlowGrouping group in runs is null ? [] : followed.Where(MayHaveEntry))
        {
            if (users()?.EntryOf(group) is { } entry)
            {
                Array.ForEach([.. group.AwaitedObjects], awaited => search.Gates.MarkEntry(awaited, entry));
            }
        }

        ReachTokens tokens = new(runtime.Heap, flows.Groups);
        Array.ForEach(starts, search.Start);
        Array.ForEach([.. tokens.Sources], search.Start);
        Array.ForEach([.. lent.Users], search.StartWholly);
        Array.ForEach([.. followed.Select(group => group.Awaited).Where(awaited => awaited.End is not null)], search.Start);
        search.Run();
        ReachSignals signals = new(search, threads, runtime.Heap);
        ReachFacts reach = new() { IsQuiet = runs is null, Runs = runs, Followed = starts.Length };
        return search.IsCut || !flows.IsWhole || !areStacksWhole(roots.Value.Stacks.Count)
            ? facts with { Reach = Known.Unknown<ReachFacts>(What, "parts of the heap, of the stacks or of the handle table were not searched") }
            : new ReachReader(
                search, runtime.Heap, flows, tokens, lent, signals, MoversOf(runtime, roots.Value, search, threads, flows, code, signals),
                new ReachOwn(search, signals, new Lazy<OwnGivers?>(() => OwnOf(runtime, roots.Value, users, flows)), graph?.Waits ?? []),
                new FailedGivers(search, signals, flows, roots.Value.Stacks, users, fromHeap.Faults?.Read(runtime.Heap)),
                new ReachKeepers(search, runtime.Heap, users), new ReachReturns(search, flows, () => code.Value?.Hands),
                new ReachBearers(search, runtime.Heap, threads, flows, signals), users)
                .Describe(facts with { Reach = Known.Derived(reach) });
    }

    // A promise each, or entries of one semaphore.
    private static bool MayHaveEntry(FlowGrouping group)
        => group.Awaited.Kind == FlowWaitKind.Semaphore || (group.Awaited.Kind == FlowWaitKind.Task && group.Objects == group.Count);

    private static OwnGivers? OwnOf(ClrRuntime runtime, RuntimeRoots roots, Func<ProgramUsers?> users, FlowInventory flows)
        => users() is { } known ? new OwnGivers(runtime, known, roots.Stacks, flows) : null;

    private static ReachMovers MoversOf(
        ClrRuntime runtime, RuntimeRoots roots, ReachSearch search, ReachThreads threads, FlowInventory flows, Lazy<ProgramUsers?> code,
        ReachSignals signals)
    {
        ReachKeys keys = new(search.Graph, runtime.Heap, runtime.DataTarget.DataReader);
        return new(
            search, threads, flows, new FlowEnds(runtime.Heap, flows.Boxes),
            address => runtime.Heap.GetObject(address).Type?.Name?.StartsWith(ReachGates.Container, StringComparison.Ordinal) == true,
            signals, keys, new ReachHands(roots.Stacks, threads, flows, () => code.Value?.Hands, keys),
            new ReachTakers(search.Graph, runtime.Heap),
            address => SignalCounts.Missing(runtime.Heap.GetObject(address)));
    }

    private ManagedFacts Describe(ManagedFacts facts) => facts with
    {
        Reach = facts.Reach?.Select(reach => _failed.All is { Count: > 0 } failed ? reach with { FailedConsumers = failed } : reach),
        Waits = facts.Waits.Select<IReadOnlyList<WaitFacts>>(waits =>
            [.. waits.Select(wait => ReachStarts.ObjectOf(wait) is { } target ? wait with { Reach = OfWait(wait, target, waits) } : wait)]),
        Tasks = facts.Tasks.Select(WithReach),
        Flows = facts.Flows?.Select(WithReach),
    };

    private TaskGraphFacts WithReach(TaskGraphFacts graph)
    {
        SemaphorePlaces places = new(graph.Tasks, _flows.Groups);
        return graph with
        {
            Tasks =
            [
                .. graph.Tasks.Select(task => ReachStarts.IsFollowed(task)
                    ? task with { Reach = _own.OfTask(Of(places.Behind(task.Address)), task.Address) } : task),
            ],
        };
    }

    // What is split off comes last: the others stay where the inventory has them.
    private FlowsFacts WithReach(FlowsFacts flows)
    {
        LostMembers lost = new(_search.Graph, _flows, targets => Of(targets));
        IReadOnlyList<FlowGroup>[] parts =
            [.. flows.Groups.Select((group, index) => lost.Split(group with { Waits = With(group.Waits, _flows.Groups[index]) }))];
        return flows with
        {
            Groups =
            [
                .. parts.Select(part => part[0]).Concat(parts.SelectMany(part => part.Skip(1)))
                    .Select(group => group with { Waits = _keepers.Name(group.Waits) }),
            ],
        };
    }

    private WaitReach OfWait(WaitFacts wait, ulong target, IReadOnlyList<WaitFacts> waits)
        => _own.OfThread(OfThreads(target, waits), target, wait.Thread);

    private WaitReach OfThreads(ulong target, IReadOnlyList<WaitFacts> waits)
        => SignalCounts.LetsGo(_heap.GetObject(target), waits.Count(wait => ReachStarts.ObjectOf(wait) == target))
            ? new WaitReach { By = FlowRoot.Thread, Holders = [], Signaller = new ReachSignaller { Kind = FlowRoot.Thread } }
            : Of([target]);

    private FlowWait With(FlowWait wait, FlowGrouping group)
        => WithPool(WithToken(_callbacks.With(WithReach(wait, group), group), group), group);

    private FlowWait WithPool(FlowWait wait, FlowGrouping group)
        => wait.Pool is not { } pool || _lent.Of(group) is not { } users ? wait
            : wait with
            {
                Pool = pool with
                {
                    Kept = users.Count(user => Of([user], isByStop: true) is not { By: null, IsInStatic: false }),
                    LentToWaiters = _lentToWaiters.Of(users),
                },
                Reach = wait.Reach is { By: not null, Movers: null or [] } reach && _returns.Of(users) is { } mover
                    ? reach with { Movers = [mover] } : wait.Reach,
            };

    private FlowWait WithReach(FlowWait wait, FlowGrouping group)
        => !ReachStarts.IsFollowed(wait) ? wait
            : wait.Kind == FlowWaitKind.Task && _loops.Of(wait, group) is { } loop ? loop
            : wait.Kind != FlowWaitKind.WhenAll ? wait with { Reach = _own.OfFlow(Of(group.AwaitedObjects), group) }
            : group.AwaitedObjects.FirstOrDefault(task => _search.LostPartsOf(task) > 0) is not 0 and var lacking
                ? wait with
                {
                    Kind = FlowWaitKind.Task,
                    Via = WhenAll,
                    Address = new Address(lacking),
                    LostParts = _search.LostPartsOf(lacking),
                    Reach = new WaitReach { Holders = [] },
                }
            : ReachParts.PromisesOf(_search.Graph, _heap, group.AwaitedObjects) is [var first, ..] parts
                ? wait with
                {
                    Kind = FlowWaitKind.Task,
                    Via = WhenAll,
                    Address = new Address(first),
                    Objects = parts.Count,
                    Reach = Of(parts),
                }
            : wait;

    // Who uses a static field is not known where nothing runs, and a signal of the system may.
    private FlowWait WithToken(FlowWait wait, FlowGrouping group)
        => wait.EndsByToken && _tokens.Of(group) is { Count: > 0 } sources && sources.All(source => Of([source], isByStop: true) is { By: null, IsInStatic: false })
            ? wait with { EndsByToken = false, IsTokenLost = true }
            : wait;

    // Of what is signalled by calls of the program alone: the methods that have such a call, and can no longer be come to.
    private WaitReach WithGivers(WaitReach reach, int[] nodes)
    {
        bool isGivenByNobody = (reach.By is not null || reach.IsInStatic) && nodes.Length > 0 && nodes.All(_signals.IsGivenByNobody);
        if ((reach.By is not null && !isGivenByNobody) || reach.Givers is not null)
        {
            return reach;
        }

        IReadOnlyCollection<string>?[] givers = [.. nodes.Select(_signals.MethodsOf)];
        return givers.Length == 0 || givers.Contains(null) ? reach
            : reach with
            {
                IsGivenByNobody = isGivenByNobody,
                Users = Named(givers.SelectMany(methods => methods!)),
                Givers = Named(givers.SelectMany(methods => methods!)),
            };
    }

    // The uses of static fields that hold the object itself, or the one object that has it, as a collection has its semaphore.
    private WaitReach WithUses(WaitReach reach, int[] nodes)
    {
        List<CodeUse> uses = [];
        foreach (int node in nodes)
        {
            IEnumerable<int> held = _search.Graph.LeadingTo(node).Prepend(node);
            if (held.Select(_search.Graph.AddressOf).Select(_search.Links.UsesOf).FirstOrDefault(found => found is not null)
                is not { } known)
            {
                return reach;
            }

            uses.AddRange(known);
        }

        return uses.Count == 0 ? reach : reach with
        {
            Users = Named(uses.SelectMany(use => use.Methods)),
            Givers = Named(uses.SelectMany(use => use.Givers)),
            IsByGiversAlone = uses.All(use => use.Methods.All(use.Givers.Contains)) && nodes.All(_search.Graph.IsByUsesAlone),
        };
    }

    private static string[] Named(IEnumerable<string> methods) => [.. methods.Distinct().Order(StringComparer.Ordinal).Take(MostUsers)];

    /// <summary>Of several objects nobody can end the wait for where nobody can for any of them.</summary>
    /// <param name="targets">The objects.</param>
    /// <param name="isByStop">Whoever does once the process is told to stop counts, too.</param>
    private WaitReach Of(IEnumerable<ulong> targets, bool isByStop = false)
    {
        int[] nodes = [.. targets.Where(target => target != 0).Select(target => _search.Graph.Find(target)).OfType<int>()];
        RootOf? root = nodes.Where(node => isByStop || !_search.IsBehindStop(node, _signals.UsesOf(node)))
            .Select(_search.Graph.RootOf).FirstOrDefault(found => found is not null);
        WaitReach reach = root switch
        {
            null => _holders.Of(nodes),
            { Kind: FlowRoot.InputOutput, Thread: not null } answer
                => _holders.Of(nodes) with { By = answer.Kind, Thread = answer.Thread, IsInStatic = false },
            { } live => new WaitReach { By = live.Kind, Thread = live.Thread, Holders = [] },
        };
        WaitReach found = WithGivers(WithUses(reach, nodes), nodes) with
        {
            Signaller = reach.By is null ? null : nodes.Select(_signals.Of).FirstOrDefault(signaller => signaller is not null),
            Movers = reach.By is null ? null : _movers.Of(nodes) is { Count: > 0 } movers ? movers : null,
            FailedGiver = _failed.Of(nodes),
            GivenIn = reach.By is null && nodes is [var first, ..] && _users() is { } users && _signals.SitesOf(first, users) is { Count: > 0 } sites
                ? Named(sites) : null,
        };
        bool isInHand = found.Signaller is not null || found.Movers?.Any(mover => mover.HasInHand) == true;
        return isInHand ? found : found with { Bearer = _bearers.Of(nodes) };
    }
}
