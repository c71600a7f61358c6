using HangTriage.Capture.Managed.Blocks;
using HangTriage.Capture.Managed.Collections;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Movers;
using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Snapshots;

/// <summary>What the one walk over the heap finds for those who take part in it.</summary>
/// <param name="Collections">The hash tables.</param>
/// <param name="Flows">The suspended async methods.</param>
/// <param name="Polls">The loops that wait.</param>
/// <param name="Queues">Who takes items from bounded queues.</param>
internal sealed record HeapFacts(
    Known<CollectionsFacts> Collections, Known<FlowsFacts> Flows, Known<IReadOnlyList<PollFacts>> Polls, Known<IReadOnlyList<QueueReaderFacts>> Queues)
{
    /// <summary>The async methods for those who follow them on; null where they are not known.</summary>
    public FlowInventory? Inventory { get; init; }

    /// <summary>Who can still come to code that uses a static field; null where that is not known.</summary>
    public Func<ProgramUsers?> Users { get; init; } = static () => null;

    /// <summary>What of the program's code can end the wait of somebody else; null where that is not known.</summary>
    public Func<ActingCode?> Acting { get; init; } = static () => null;

    /// <summary>The loops under a lock of which it was read whether they end; null where nobody looked.</summary>
    public Known<IReadOnlyList<LockedLoopFacts>>? LockedLoops { get; init; }

    /// <summary>The blocks of Dataflow whose next item nobody takes; null where nobody looked.</summary>
    public Known<IReadOnlyList<StuckBlockFacts>>? StuckBlocks { get; init; }

    /// <summary>The threads that wait for work and have no code of locks on the stack; null where nobody looked.</summary>
    public Known<IReadOnlyList<ThreadId>>? LockFree { get; init; }

    /// <summary>The threads at work; null where nobody looked.</summary>
    public Known<IReadOnlyList<WorkFacts>>? Work { get; init; }

    /// <summary>The processes that this one has started; null where nobody looked.</summary>
    public Known<IReadOnlyList<ChildFacts>>? Children { get; init; }

    /// <summary>The addresses at which the process takes connections; null where nobody looked.</summary>
    public IReadOnlyList<string>? Listens { get; init; }

    /// <summary>The same of what has been written to sockets and not sent.</summary>
    public IReadOnlyList<UnsentFacts>? Unsent { get; init; }

    /// <summary>Null where the heap was not walked for async methods.</summary>
    public TransactionVisitor? Transactions { get; init; }

    /// <summary>The same.</summary>
    public FaultVisitor? Faults { get; init; }

    /// <summary>The same.</summary>
    public IReadOnlyList<EndedServiceFacts>? EndedServices { get; init; }

    private const string Readers = "readers of bounded queues";

    public static HeapFacts Unknown(string why)
        => new(Known.Unknown<CollectionsFacts>("collections", why), Known.Unknown<FlowsFacts>(FlowsReader.What, why), Known.Unknown<IReadOnlyList<PollFacts>>(PollsReader.What, why), Known.Unknown<IReadOnlyList<QueueReaderFacts>>(Readers, why));

    public static HeapFacts Read(
        ClrRuntime runtime,
        IReadOnlyList<ClrThread> threads,
        ThreadFrames walked,
        Lazy<RuntimeRoots> roots,
        WaitOwners owners,
        PollsReader polls,
        SourceLines sources,
        CaptureContext context,
        List<Gap> gaps)
    {
        CollectionReader collections = new(runtime, threads, context);
        string? whyNot = context.Deep ? null : FlowsReader.WhyNot(runtime, context);
        FlowsReader? flows = whyNot is null ? new FlowsReader(runtime, context) : null;
        ChildVisitor children = new();
        ListenerVisitor listeners = new();
        WriterVisitor writers = new();
        TransactionVisitor transactions = new();
        FaultVisitor faults = new();
        BlockVisitor blocks = new(runtime);
        IHeapVisitor[] visitors =
        [
            .. collections.Visitors,
            .. flows?.Visitors ?? [],
            .. flows is null ? Array.Empty<IHeapVisitor>() : [children, listeners, writers, transactions, faults, blocks],
            .. flows is null ? [] : owners.Visitors,
            .. polls.Visitors(isWalkedAnyhow: flows is not null),
        ];
        IReadOnlyList<Gap> walk = visitors.Length > 0 ? Walk(runtime, visitors, context) : [];
        Known<FlowsFacts> suspended = flows is null ? Known.Unknown<FlowsFacts>(FlowsReader.What, whyNot!)
            : !runtime.Heap.CanWalkHeap ? Known<FlowsFacts>.Unknown(walk[0] with { What = FlowsReader.What })
            : Attempt.Read(FlowsReader.What, () => Known.Read(FlowsOf(runtime, flows, roots, walk, sources, gaps)));
        return new HeapFacts(
            Attempt.Read("collections", () => Known.Read(collections.Read(collections.Visitors.Count > 0 ? walk : []))),
            WithLoops(runtime, suspended, polls, flows?.Inventory),
            Attempt.Read(PollsReader.What, () => Known.Derived(PollsOf(runtime, polls, flows?.Groups ?? [], isWhole: walk.Count == 0))),
            Attempt.Read(Readers, () => Known.Derived(QueuesOf(runtime, polls, flows?.Groups ?? []))))
        {
            Inventory = flows?.Inventory,
            Users = () => walk.Count == 0 && flows is not null ? polls.Users(flows.Groups) : null,
            Acting = () => walk.Count == 0 && flows is not null && polls.Code(flows.Groups) is var (code, modules)
                ? new ActingCode(code, modules)
                : null,
            Listens = flows is null ? null : Attempt.Find("listeners", () => listeners.Read(runtime.Heap)),
            Unsent = flows is null ? null : Attempt.Find("buffers of writers", () => writers.Read(runtime.Heap)),
            StuckBlocks = flows is null ? null : Attempt.Read("blocks of Dataflow", () => Known.Read(blocks.Read(runtime.Heap))),
            Transactions = flows is null ? null : transactions,
            Faults = flows is null ? null : faults,
            EndedServices = flows is null ? null : Attempt.Find("services of a host", polls.EndedServices),
            Children = flows is null ? null : Attempt.Read("child processes", () => Known.Read(children.Read(runtime.Heap))),
        }.WithStacks(polls, sources);
    }

    private HeapFacts WithStacks(PollsReader polls, SourceLines sources)
        => this with
        {
            LockedLoops = Attempt.Read("loops under locks", () => Known.Derived(polls.ReadLockedLoops())),
            LockFree = Attempt.Read("stacks without locks", () => Known.Derived(polls.ReadLockFree())),
            Work = Attempt.Read("threads at work", () => Known.Derived(polls.ReadWork(sources))),
        };

    // The types of the objects lead to metadata, of which a core with the heap alone has what it needs and no more.
    private static IReadOnlyList<Gap> Walk(ClrRuntime runtime, IHeapVisitor[] visitors, CaptureContext context)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return HeapWalk.Run(runtime, context, visitors);
    }

    // A core with the heap alone has no instructions: then none is found, and nothing rests on that.
    private static IReadOnlyList<PollFacts> PollsOf(ClrRuntime runtime, PollsReader polls, IReadOnlyList<FlowGrouping> flows, bool isWhole)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return polls.Read(flows, isWhole);
    }

    private static Known<FlowsFacts> WithLoops(ClrRuntime runtime, Known<FlowsFacts> flows, PollsReader polls, FlowInventory? inventory)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return inventory is not null && flows.TryGet(out FlowsFacts? found) && Attempt.Read(PollsReader.What, () => Known.Read(polls.WithLoops(found, inventory))) is { HasValue: true } known ? known : flows;
    }

    private static IReadOnlyList<QueueReaderFacts> QueuesOf(ClrRuntime runtime, PollsReader polls, IReadOnlyList<FlowGrouping> flows)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return polls.ReadQueues(flows);
    }

    private static FlowsFacts FlowsOf(ClrRuntime runtime, FlowsReader flows, Lazy<RuntimeRoots> roots, IReadOnlyList<Gap> walk, SourceLines sources, List<Gap> gaps)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        gaps.AddRange(walk.Select(gap => gap with { What = FlowsReader.What, IsLoss = true }));
        return flows.Read(roots, isWhole: walk.Count == 0, sources, gaps);
    }
}
