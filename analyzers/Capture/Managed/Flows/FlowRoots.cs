using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// What keeps suspended flows alive. Stacks, handles, timers and operations of the system are asked first; for the rest the
/// heap is searched for what refers to them, round by round. A flow that nothing leads to is garbage.
/// </summary>
internal sealed class FlowRoots
{
    private const int MostRounds = 8;
    private const ulong MostBytes = 16UL << 30;

    private readonly ClrRuntime _runtime;
    private readonly RuntimeRoots _roots;
    private readonly CaptureContext _context;
    private readonly FlowComponents _components;
    private readonly RootGraph _graph = new();
    private readonly Dictionary<ulong, int> _holders = [];
    private readonly int _flows;

    private FlowRoots(ClrRuntime runtime, RuntimeRoots roots, FlowComponents components, int flows, CaptureContext context)
    {
        _runtime = runtime;
        _roots = roots;
        _context = context;
        _components = components;
        _flows = flows;
    }

    /// <summary>For each flow what keeps it alive; null for garbage.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="roots">Its stacks and handles.</param>
    /// <param name="flows">The flows.</param>
    /// <param name="resolver">Says what they wait for.</param>
    /// <param name="isWhole">All of the heap was walked: only then is there no reference that was not seen.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static IReadOnlyList<RootOf?> Of(
        ClrRuntime runtime,
        RuntimeRoots roots,
        IReadOnlyList<FlowBox> flows,
        AwaitedResolver resolver,
        bool isWhole,
        CaptureContext context)
    {
        FlowComponents components = new(flows, resolver);
        FlowRoots search = new(runtime, roots, components, flows.Count, context);
        FlowRoot?[] own = [.. flows.Select(flow => KeptBy(resolver.Of(flow.Awaited)))];
        search.LookAtRoots();
        search.Keep(own, onlyWhereAll: true);
        bool isSearched = search.Search() && isWhole;
        search.Keep(own, onlyWhereAll: false);
        return [.. own.Select((kind, flow) => kind is { } root ? new RootOf(root) : search._graph.RootOf(components.Of(flow)) ?? (isSearched ? null : new RootOf(FlowRoot.Unknown)))];
    }

    private static FlowRoot? KeptBy(Awaited awaited) => awaited switch
    {
        { Timed: not 0 } => FlowRoot.Timer,
        { Kind: FlowWaitKind.InputOutput } => FlowRoot.InputOutput,
        _ => null,
    };

    // A flow that waits for a timer or an operation of the system is kept by that, and others by it. What else keeps those says more.
    private void Keep(FlowRoot?[] own, bool onlyWhereAll)
    {
        HashSet<int> others = onlyWhereAll ? [.. Enumerable.Range(0, own.Length).Where(flow => own[flow] is null).Select(_components.Of)] : [];
        for (int flow = 0; flow < own.Length; flow++)
        {
            if (own[flow] is { } kind && !others.Contains(_components.Of(flow)))
            {
                _graph.Root(_components.Of(flow), new RootOf(kind));
            }
        }
    }

    private void LookAtRoots()
    {
        foreach (ThreadStack stack in _roots.Stacks)
        {
            foreach (ulong root in stack.Roots)
            {
                if (_components.OfMember(root) is { } component)
                {
                    _graph.Root(component, new RootOf(FlowRoot.Thread, new ThreadId(stack.Thread.OSThreadId)));
                }
            }
        }

        foreach (ClrObject item in QueuedObjects.Items(_runtime, _context))
        {
            if (_components.OfMember(item.Address) is { } component)
            {
                _graph.Root(component, new RootOf(FlowRoot.PoolQueue));
            }
        }

        foreach (ulong member in _components.Members.Where(_roots.Handles.Keeps))
        {
            _graph.Root(_components.OfMember(member)!.Value, new RootOf(FlowRoot.GcHandle));
        }
    }

    /// <summary>False where the search ended before all was found.</summary>
    private bool Search()
    {
        ulong bytes = _runtime.Heap.Segments.Aggregate(1UL, (sum, segment) => unchecked(sum + segment.ObjectRange.Length));
        int rounds = (int)Math.Clamp(MostBytes / bytes, 1, MostRounds);
        ILookup<ulong, ThreadId> onStack = _roots.Stacks
            .SelectMany(stack => stack.Roots.Select(root => (Root: root, Thread: new ThreadId(stack.Thread.OSThreadId))))
            .ToLookup(pair => pair.Root, pair => pair.Thread);
        ReferrerScan scan = new(_runtime, _roots.Pointers, _roots.Referrers, _context);
        HashSet<ulong> front = [.. _components.Members.Where(member => !_graph.IsRooted(_components.OfMember(member)!.Value))];
        for (int round = 1; front.Count > 0; round++)
        {
            if (round > rounds)
            {
                // Whatever stands there may have a root.
                foreach (ulong address in front)
                {
                    _graph.Root(NodeOf(address), new RootOf(FlowRoot.Unknown));
                }

                break;
            }

            _context.Step();
            _context.Progress?.Report($"what keeps async methods alive: heap search {round}");
            IReadOnlyList<(ClrObject Referrer, ulong Target)> found = scan.Find(front);
            List<ulong> next = Follow(found, onStack);
            LookForThreadStatics(front, found);
            front = [.. next.Where(address => _graph.LeadsToUnrooted(NodeOf(address)) && !_graph.IsRooted(NodeOf(address)))];
        }

        return !scan.IsIncomplete && !_roots.Handles.IsCut;
    }

    /// <summary>The referrers that were not met before.</summary>
    private List<ulong> Follow(IReadOnlyList<(ClrObject Referrer, ulong Target)> found, ILookup<ulong, ThreadId> onStack)
    {
        List<ulong> next = [];
        foreach ((ClrObject referrer, ulong target) in found)
        {
            int to = NodeOf(target);
            bool isNew = _components.OfMember(referrer.Address) is null && !_holders.ContainsKey(referrer.Address);
            int from = NodeOf(referrer.Address);
            if (from == to)
            {
                continue;
            }

            _graph.Link(from, to);
            if (!isNew)
            {
                continue;
            }

            if (Root(referrer, onStack) is { } root)
            {
                _graph.Root(from, root);
            }
            else
            {
                next.Add(referrer.Address);
            }
        }

        return next;
    }

    private RootOf? Root(ClrObject referrer, ILookup<ulong, ThreadId> onStack)
        => _roots.Handles.Keeps(referrer.Address) ? new RootOf(referrer.Type?.Name == "System.Object[]" ? FlowRoot.Static : FlowRoot.GcHandle)
            : onStack.Contains(referrer.Address) ? new RootOf(FlowRoot.Thread, onStack[referrer.Address].First())
            : InputOutput.IsType(referrer.Type?.Name) ? new RootOf(FlowRoot.InputOutput)
            : ThreadObjects.NativeThread(referrer) is not null || referrer.Type is { IsFinalizable: true } ? new RootOf(FlowRoot.Unknown)
            : null;

    // The arrays that hold statics of threads hang on the runtime's own threads.
    private void LookForThreadStatics(HashSet<ulong> front, IReadOnlyList<(ClrObject Referrer, ulong Target)> found)
    {
        HashSet<ulong> referred = [.. found.Select(hit => hit.Target)];
        foreach (ulong address in front.Where(address => !referred.Contains(address)))
        {
            if (_runtime.Heap.GetObjectType(address)?.Name == "System.Object[]")
            {
                _graph.Root(NodeOf(address), new RootOf(FlowRoot.Static));
            }
        }
    }

    /// <summary>Components have the numbers of their flows, other objects those behind.</summary>
    private int NodeOf(ulong address)
    {
        if (_components.OfMember(address) is { } component)
        {
            return component;
        }

        if (!_holders.TryGetValue(address, out int node))
        {
            node = _flows + _holders.Count;
            _holders.Add(address, node);
        }

        return node;
    }
}
