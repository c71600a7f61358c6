using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Makes facts of a group: what costs more than a few reads is done for its sample alone.</summary>
internal sealed class FlowDescriber(
    ClrRuntime runtime, FlowBoxes boxes, FlowChains chains, SemaphoreCircles circles, PermitVisitor permits, Func<ulong, ulong?> innermost,
    OperationWaiters waiters, SourceLines sources, CaptureContext context)
{
    private const int MostMembers = 32;
    private const int MostTimed = 16;

    private readonly FlowLabels _labels = new(runtime);
    private readonly ConnectionPools _pools = new(boxes, runtime.Heap);
    private readonly SqlOpenings _openings = new(boxes, runtime.Heap);
    private readonly SemaphoreTakers _takers = new(runtime.Heap, boxes, chains);
    private readonly Lazy<TimedCompletions> _timed = new(() => new TimedCompletions(runtime, context));
    private readonly Lazy<RequestTimers> _requests = new(() => new RequestTimers(runtime, context));

    /// <summary>What could not be said of a group, for the first of them; null where all could.</summary>
    public Gap? Gap { get; private set; }

    public FlowGroup Describe(FlowGrouping group)
    {
        FlowBox sample = group.Sample;
        bool isCut = false;
        IReadOnlyList<FlowBox> chain = Try(() => chains.Of(sample, out isCut)) ?? [];
        return new FlowGroup
        {
            Method = Cut(sample.Method!.Name),
            Await = sample.State,
            Source = Try(() => sources.OfAwait(sample.Method.Machine, sample.Method.MoveNextToken, sample.State)),
            Count = group.Count,
            State = group.Awaited.Kind == FlowWaitKind.Queued ? FlowState.QueuedToResume : FlowState.Suspended,
            Waits = Waits(group, chain),
            AwaitedBy =
            [
                .. chain.Select(flow => Cut(flow.Method!.Name)),
                .. Try(() => waiters.Of(sample)) is { } waiter ? [Cut(waiter)] : Array.Empty<string>(),
            ],
            IsChainCut = isCut,
            CancelsByTimer = Try(() => new Box<bool>(CancelTimers.IsSetBy(runtime.Heap, sample)))?.Value == true,
            AcceptedAt = Try(() => AcceptedSockets.AddressIn(
                runtime.Heap, FlowVariables.Of(runtime.Heap, sample).Select(variable => variable.Address))),
            Root = group.Root.Kind,
            RootThread = group.Root.Thread,
            Sample = new Address(sample.Address),
            Members = group.Boxes.Count <= MostMembers ? [.. group.Boxes.Select(Member)] : null,
        };
    }

    private FlowMember Member(ulong box)
        => new(new Address(box), boxes.Find(box) is { Awaited: not 0 and ulong awaited } ? new Address(awaited) : null);

    private FlowWait Waits(FlowGrouping group, IReadOnlyList<FlowBox> chain)
    {
        Awaited awaited = group.Awaited;
        TimeSpan? limit = Try(() => new Box<TimeSpan?>(LimitOf(awaited, group)))?.Value;
        ClrObject target = awaited.Address == 0 ? default : runtime.Heap.GetObject(awaited.Address);
        SemaphoreEntries? entries = awaited.Kind == FlowWaitKind.Semaphore ? Try(() => Entries(target)) : null;
        FlowTaker? taker = entries is { Left: 0, Most: 1 }
            ? Try(() => _takers.Of(awaited.Address, group.Boxes) ?? circles.Of(awaited.Address)) : null;
        return new FlowWait
        {
            Kind = awaited.Kind,
            Address = awaited.Address == 0 ? null : new Address(awaited.Address),
            Objects = group.Objects,
            Type = awaited.Type is { } type ? Cut(type) : null,
            Label = (awaited.Method ?? (awaited.Address == 0 ? null : Try(() => _labels.Find(awaited.Address, group.Sample, chain)))) is { } label ? Cut(label) : null,
            Via = awaited.Via is { } via ? Cut(via) : null,
            Entries = entries,
            Taker = taker,
            Holder = entries is { Left: 0 } && taker is null ? Try(() => HolderOf(awaited.Address, group.Boxes)) : null,
            Queue = awaited.End is { } end
                ? Try(() => awaited.Kind == FlowWaitKind.Channel ? FlowQueues.OfChannel(target, end) : FlowQueues.OfPipe(target, end))
                : null,
            Socket = awaited.Kind == FlowWaitKind.InputOutput ? Try(() => SocketReader.ReadOperation(target)) : null,
            Pool = Try(() => _pools.PoolOf(group.Sample) ?? permits.PoolOf(group.AwaitedObjects)),
            EndsByTimer = awaited.Timed != 0 || limit is not null,
            SetFor = limit,
            EndsByToken = awaited.HasToken,
        };
    }

    private FlowTaker? HolderOf(ulong semaphore, IReadOnlyList<ulong> waiting)
        => _takers.HolderOf(semaphore, waiting) is not { } holder ? null
            : Taker(holder.Flow, holder.Variable, innermost, context);

    /// <summary>One that has an entry of a semaphore.</summary>
    /// <param name="flow">Its box.</param>
    /// <param name="variable">By what it has it.</param>
    /// <param name="innermost">Where it waits: the sample of the innermost method that it awaits.</param>
    /// <param name="context">The limits.</param>
    public static FlowTaker Taker(FlowBox flow, string variable, Func<ulong, ulong?> innermost, CaptureContext context)
        => new(new Address(flow.Address), context.Limits.Cut(flow.Method!.Name), variable)
        {
            End = innermost(flow.Address) is { } end ? new Address(end) : null,
        };

    private TimeSpan? LimitOf(Awaited awaited, FlowGrouping group)
        => awaited.Timed != 0 ? SetFor(runtime.Heap.GetObject(awaited.Timed))
            : (awaited.Token != 0 ? TokenTimers.LimitOf(runtime.Heap.GetObject(awaited.Token)) : null)
                ?? _pools.LimitOf(group.Sample)
                ?? _openings.LimitOf(group.Sample)
                ?? CompletionOf(group)
                ?? (awaited.Kind == FlowWaitKind.Task ? _requests.Value.Of(group.AwaitedObjects) : null);

    // The longest, where all of them have one.
    private TimeSpan? CompletionOf(FlowGrouping group)
    {
        TimeSpan?[] limits = [.. group.Boxes.Take(MostTimed).Select(CompletionOf)];
        return limits.Contains(null) ? null : limits.Max();
    }

    // Of what the flow awaits, over the base library's methods: a connection's are told of the end of a request.
    private TimeSpan? CompletionOf(ulong flow)
        => boxes.Find(flow) is not { } waiting ? null
            : boxes.Down(waiting).TakeWhile((box, depth) => depth == 0 || box.Method is { IsOfBaseLibrary: true })
                .Select((box, depth) => (depth == 0 ? null : _timed.Value.Of(StateMachine.This(runtime.Heap.GetObject(box.Address)).Address))
                    ?? _timed.Value.Of(box.Awaited))
                .FirstOrDefault(limit => limit is not null);

    private static SemaphoreEntries? Entries(ClrObject semaphore)
        => semaphore.Number("m_currentCount") is >= 0 and int left && semaphore.Number("m_maxCount") is >= 0 and int most
            ? new SemaphoreEntries((uint)left, (uint)most)
            : null;

    private static TimeSpan? SetFor(ClrObject timed)
    {
        ClrObject timer = PendingTimers.Behind(timed);
        return timer.IsNull ? null : PendingTimers.Need(timer).SetFor;
    }

    private string Cut(string name) => context.Limits.Cut(name);

    private T? Try<T>(Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            Gap ??= Attempt.Failed("details of async flows", e);
            return null;
        }
    }

    private sealed record Box<T>(T Value);
}
