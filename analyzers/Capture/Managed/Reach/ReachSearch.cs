using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Goes from the objects that are waited for to what leads to them, all together, round by round: one search of the heap a round,
/// however many they are. Of an async method that holds an object it continues to what that method waits for, since it can do nothing
/// before; of a thread that waits the same.
/// </summary>
internal sealed class ReachSearch(
    ClrRuntime runtime, RuntimeRoots roots, ReachThreads threads, ReachTimers timers, FlowInventory flows, Lazy<ProgramUsers?> code,
    bool isQuiet, LentConnections lent, CaptureContext context)
{
    private const int MostRounds = 32;
    private const ulong MostBytes = 32UL << 30;
    private const int MostNodes = 2_000_000;
    private const int MostWholly = 4096;

    private readonly Queue<int> _open = new();
    private readonly HashSet<ulong> _handlers = [];
    private readonly HashSet<ulong> _starts = [];
    private readonly ReachStacks _stacks = new(roots);
    private readonly AwaitEnds _ends = new(runtime, flows);
    private readonly ContextThreads _contexts = new(roots.Stacks, roots.Handles);
    private readonly ReferrerScan _scan = new(runtime, roots.Pointers, roots.Referrers, context);
    private readonly HashSet<ulong> _putOff = [];
    private readonly HashSet<ulong> _once = [];
    private readonly HashSet<ulong> _wholly = [];
    private readonly HashSet<ulong> _searched = [];
    private readonly LostParts _lostParts = new();
    private HashSet<ulong> _front = [];
    private ReachFinalizers? _finalizers;
    private ReachGates? _gates;
    private ReachLinks? _links;

    public ReachGraph Graph { get; } = new();

    /// <summary>Where nothing runs, nobody comes to any code.</summary>
    public ReachGates Gates => _gates ??= new ReachGates(runtime.Heap, Graph, () => isQuiet ? null : code.Value, Enter, EnterKeeper);

    /// <summary>By which code who has an object can end waits for it.</summary>
    public ReachLinks Links => _links ??= new ReachLinks(
        runtime.Heap, Graph, Gates, flows, code, isQuiet, _ends.MayContinue, Enter, EnterKeeper, address => _once.Add(address));

    private ReachFinalizers Finalizers => _finalizers ??= new ReachFinalizers(Graph, IsWaiter, BlockedFinalizer());

    /// <summary>The thread whose node is of this address; null for an object.</summary>
    public ThreadStack? ThreadAt(ulong address) => _stacks.ThreadAt(address);

    /// <summary>As <see cref="AwaitEnds.EndOf"/> has it.</summary>
    public FlowRoot? EndOf(ulong address) => _ends.EndOf(address);

    /// <inheritdoc cref="AwaitEnds.LastAwaitedBy"/>
    public ulong? LastAwaitedBy(ulong address) => _ends.LastAwaitedBy(address);

    /// <summary>Not all could be searched: what was found to lead nowhere may lead somewhere.</summary>
    public bool IsCut { get; private set; }

    /// <summary>How many parts a Task.WhenAll still waits for that are gone; 0 where none is, and where that is not sure.</summary>
    public int LostPartsOf(ulong address) => _searched.Contains(address) && !_stacks.IsHeld(address) ? _lostParts.Of(address) : 0;

    /// <summary>To be called for everything that is waited for, before <see cref="Run"/>.</summary>
    public void Start(ulong address)
    {
        if (_starts.Add(address))
        {
            _once.Add(address);
            _lostParts.Expect(runtime.Heap.GetObject(address));
            Enter(address);
        }
    }

    /// <summary>The same, and all that leads to it is looked up, whatever else is known of it.</summary>
    public void StartWholly(ulong address)
    {
        _wholly.Add(address);
        Start(address);
    }

    /// <summary>What refers to the object was looked up.</summary>
    public bool IsSearched(ulong address) => _searched.Contains(address);

    /// <summary>The same for a queue that is waited for at one of its ends: whoever has the other end can end the wait.</summary>
    public void Start(Awaited queue)
    {
        Gates.Mark(queue);
        Start(queue.Address);
        Graph.Link(Enter(_ends.OtherEnd(queue)), Graph.Of(queue.Address, out _));
    }

    public void Run()
    {
        ulong bytes = runtime.Heap.Segments.Aggregate(1UL, (sum, segment) => unchecked(sum + segment.ObjectRange.Length));
        int rounds = (int)Math.Clamp(MostBytes / bytes, 1, MostRounds);
        new ReachJoins(Graph, roots, threads).Join(Enter);
        Settle();
        for (int round = 1; Next() is { Count: > 0 } front; round++)
        {
            if (round > rounds || Graph.Count > MostNodes)
            {
                GiveUp(front);
                break;
            }

            context.Step();
            context.Progress?.Report($"who can end {_starts.Count} waits: heap search {round}");
            Look(front);
            Settle();
        }

        Finalizers.Root();
        Graph.RootRest();
        IsCut |= _scan.IsIncomplete || roots.Handles.IsCut;
    }

    /// <summary>Nobody can come to it before the process is told to stop, and then by another's wait that ends.</summary>
    /// <param name="node">What is waited for.</param>
    /// <param name="uses">The code that ends the wait; empty where that is not known.</param>
    public bool IsBehindStop(int node, IEnumerable<CodeUse> uses)
        => Graph.IsByStopAlone(node) && !(StopSignals.LeadTo(Graph, node, _handlers, IsWaiter) && StopSignals.MayCall(_handlers, [.. uses]));

    private bool IsWaiter(int node) => Graph.AddressOf(node) is var address && (ThreadAt(address) is not null || flows.Boxes.Find(address) is { State: >= 0 });

    private int? BlockedFinalizer()
        => roots.Stacks.FirstOrDefault(stack => stack.Thread.IsFinalizer) is { } stack && threads.StateOf(stack) == ReachThreadState.Waits ? Graph.Of(stack.Thread.Address, out _) : null;

    // Who has what is waited for is looked up once, whatever else ends the wait: he may be the one who surely does.
    private bool IsWanted(ulong address)
        => (!isQuiet && _once.Contains(address) && !_searched.Contains(address))
            || Graph.NodesAt(address).Any(node => !Graph.IsRooted(node) && (_starts.Contains(address) || Graph.LeadsToUnrooted(node)));

    // What leads to nothing that is open is put off: it can come to lead to something.
    private HashSet<ulong> Next()
    {
        _putOff.UnionWith(_front);
        HashSet<ulong> wanted = [.. _putOff.Where(IsWanted)];
        _putOff.ExceptWith(wanted);
        return wanted;
    }

    private void GiveUp(HashSet<ulong> front)
    {
        foreach (ulong address in front)
        {
            foreach (int node in Graph.NodesAt(address))
            {
                Graph.Root(node, FlowRoot.Unknown);
            }
        }
    }

    private void Look(HashSet<ulong> front)
    {
        _front = [];
        _searched.UnionWith(front);
        HashSet<ulong> referred = [];
        foreach ((ClrObject referrer, ulong target) in _scan.Find(front))
        {
            referred.Add(target);
            if (lent.IsOfPool(referrer, runtime.Heap.GetObject(target)))
            {
                continue;
            }

            bool isStatics = ReachTypes.IsStatics(referrer, roots.Handles);
            _lostParts.Note(referrer, target, isStatics);
            if (_wholly.Contains(target) && _wholly.Count < MostWholly && flows.Boxes.Find(referrer.Address) is null && !isStatics)
            {
                _wholly.Add(referrer.Address);
                _once.Add(referrer.Address);
            }

            Links.Follow(referrer, target, isStatics);
        }

        // The arrays that hold statics of threads hang on the runtime's own threads.
        foreach (ulong address in front.Where(address => !referred.Contains(address)))
        {
            if (ReachTypes.IsThreadStatics(runtime.Heap.GetObject(address)))
            {
                foreach (int node in Graph.NodesAt(address))
                {
                    OfStatic(node);
                }
            }
        }
    }

    /// <summary>The node of what stands there; what leads to it is looked up later.</summary>
    private int Enter(ulong address)
    {
        int node = Graph.Of(address, out bool isNew);
        if (isNew)
        {
            _open.Enqueue(node);
        }

        return node;
    }

    private int EnterKeeper(ulong address, KeptSignal signal)
    {
        int node = Graph.OfKeeper(address, Gates.KeyOf(signal), out bool isNew);
        if (isNew)
        {
            _once.Add(address);
            _open.Enqueue(node);
        }

        return node;
    }

    private void Settle()
    {
        while (_open.TryDequeue(out int node))
        {
            context.Step();
            ulong address = Graph.AddressOf(node);
            if (flows.Boxes.Find(address) is { State: >= 0 } flow)
            {
                OfFlow(flow);
            }
            else if (_stacks.ThreadAt(address) is null)
            {
                OfObject(address, node);
            }
        }
    }

    private void OfFlow(FlowBox flow)
    {
        int node = Graph.Of(flow.Address, out _);
        if (StopSignals.IsAwaitedBy(flow))
        {
            Graph.RootByStop(node);
        }
        else if (AwaitEnds.RootOf(flows.Resolver.Of(flow)) is { } kind)
        {
            Graph.Root(node, kind);
        }
        else
        {
            Graph.Link(Enter(flow.Awaited), node);
        }
    }

    private void OfObject(ulong address, int node)
    {
        ClrObject found = runtime.Heap.GetObject(address);
        if (StopSignals.IsHandler(found))
        {
            _handlers.Add(address);
            Graph.RootByStop(node);
            return;
        }

        bool isStatics = ReachTypes.IsStatics(found, roots.Handles);
        if (isStatics || roots.Handles.LeadsTo(address))
        {
            // Weak references and tables of them are for whoever has those, as static fields are.
            OfStatic(node);
        }

        if (isStatics)
        {
            // Frames point into the arrays of static fields, too, and have not all of them for that.
            return;
        }

        KeptSignal? signal = Gates.SignalOf(node);
        _stacks.Link(Graph, address, node, signal is { } given ? CodeOnStack(given) : null, threads);
        if (timers.IsHeldUp(found))
        {
            // Who is in its callbacks is linked; that the queue of the timers leads to it says nothing.
            return;
        }

        if (roots.Handles.IsNative(address))
        {
            Graph.Root(node, FlowRoot.GcHandle);
        }
        else if (Continuation.DerivesFromContext(found.Type) && _contexts.Of(found) is { } loop)
        {
            OfContext(address, node, found, loop);
        }
        else if (ReachTypes.RootOf(found) is { } kind && !_starts.Contains(address))
        {
            Graph.Root(node, kind);
        }
        else
        {
            LookAtOwner(address, node, found);
        }
    }

    private int? CodeOnStack(KeptSignal signal)
        => signal.Family.IsCalledByDotNet ? null : Gates.CodeOf(signal with { IsInNoField = true });

    // What is posted to it does that one thread; whoever has it may post.
    private void OfContext(ulong address, int node, ClrObject found, ContextThread loop)
    {
        if (Graph.KeyOfKeeper(node) is null)
        {
            Graph.Link(Graph.Of(loop.Thread.Address, out _), node);
        }
        else
        {
            LookAtOwner(address, node, found);
        }
    }

    private void LookAtOwner(ulong address, int node, ClrObject found)
    {
        if (ReachTypes.HasFinalizer(found) && !_starts.Contains(address))
        {
            Finalizers.Add(node);
        }

        if (flows.Boxes.FindByMachine(address) is { State: >= 0 } flow)
        {
            Graph.Link(Enter(flow.Address), node);
            return;
        }

        (ulong Object, bool IsAlone)? owner = _ends.OwnerOf(address);
        if (owner is { } known)
        {
            Graph.Link(Enter(known.Object), node);
        }

        if (owner is not { IsAlone: true })
        {
            _front.Add(address);
        }
    }

    private void OfStatic(int node)
    {
        Graph.MarkStatic(node);
        if (!isQuiet)
        {
            Graph.Root(node, FlowRoot.Static);
        }
    }
}
