using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Semaphores;

/// <summary>Who has the entries of the SemaphoreSlims that somebody waits for, and of which none is left.</summary>
internal sealed class SemaphoreOwners
{
    private const int MostFlows = 256;

    private readonly FlowInventory? _inventory;
    private readonly CaptureContext _context;
    private readonly HashSet<(ulong Semaphore, ulong Box)> _waiting;
    private readonly ILookup<ulong, ThreadId> _threads;
    private readonly ILookup<ulong, (FlowBox Flow, SemaphoreSection Section)> _flows;

    private SemaphoreOwners(
        LocksAndWaits read, FlowInventory? inventory, ILookup<ulong, ThreadId>? threads,
        ILookup<ulong, (FlowBox Flow, SemaphoreSection Section)>? flows, CaptureContext context)
    {
        _inventory = inventory;
        _context = context;
        _threads = threads ?? Nobody<ThreadId>();
        _flows = flows ?? Nobody<(FlowBox, SemaphoreSection)>();
        _waiting = [.. OfSemaphores(inventory).SelectMany(group => group.Boxes.Select(box => (group.Awaited.Address, box)))];
        LocksAndWaits = _threads.Count + _flows.Count == 0 ? read : Named(read);
    }

    /// <summary>The locks with those who have their entries, and the waits for these.</summary>
    public LocksAndWaits LocksAndWaits { get; }

    /// <param name="runtime">The runtime.</param>
    /// <param name="threads">The threads that live.</param>
    /// <param name="walked">Their frames.</param>
    /// <param name="modules">The program's instructions.</param>
    /// <param name="read">What the threads wait for.</param>
    /// <param name="inventory">The suspended async methods; null where they are not known.</param>
    /// <param name="context">The limits.</param>
    public static SemaphoreOwners Find(
        ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules, LocksAndWaits read,
        FlowInventory? inventory, CaptureContext context)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        ILookup<ThreadId, ulong> waits = (read.Waits.TryGet(out IReadOnlyList<WaitFacts>? all) ? all : [])
            .Where(wait => wait.Lock.Kind == LockKind.SemaphoreSlim).ToLookup(wait => wait.Thread, wait => wait.Lock.Address.Value);
        HashSet<ulong> awaited =
        [
            .. waits.SelectMany(found => found),
            .. OfSemaphores(inventory).Select(group => group.Awaited.Address),
        ];
        if (awaited.Count == 0)
        {
            return new SemaphoreOwners(read, inventory, null, null, context);
        }

        SemaphoreHolders holders = new(modules, walked);
        ILookup<ulong, ThreadId> byThreads = threads.Where(thread => thread.OSThreadId != 0)
            .Select(thread => (Id: new ThreadId(thread.OSThreadId), Thread: thread))
            .SelectMany(pair => Try(() => holders.Of(pair.Thread, waits[pair.Id].FirstOrDefault(), awaited))?
                .Select(semaphore => (semaphore, pair.Id)) ?? [])
            .ToLookup(pair => pair.semaphore, pair => pair.Id);
        ILookup<ulong, (FlowBox, SemaphoreSection)>? byFlows = inventory is null ? null
            : Try(() => holders.Of(inventory.Boxes.All, runtime.Heap, awaited)
                .ToLookup(found => found.Semaphore, found => (found.Flow, found.Section)));
        return new SemaphoreOwners(read, inventory, byThreads, byFlows, context);

        // Who has the entries is not known where it cannot be read.
        static T? Try<T>(Func<T> read)
            where T : class
            => Attempt.Read("holders of semaphores", () => Known.Derived(read())).TryGet(out T? found) ? found : null;
    }

    /// <summary>The async methods that have entries for which threads wait.</summary>
    public IReadOnlyList<ulong> Flows()
        => LocksAndWaits.Locks.TryGet(out IReadOnlyList<LockFacts>? locks)
            ?
            [
                .. locks.SelectMany(@lock => @lock.Holders ?? []).Select(holder => holder.Flow?.Value).OfType<ulong>().Take(MostFlows),
            ]
            : [];

    /// <summary>What the async methods wait for, with who has it.</summary>
    public Known<FlowsFacts> Named(Known<FlowsFacts> flows)
        => _threads.Count + _flows.Count == 0 ? flows : flows.Select(facts => facts with { Groups = [.. facts.Groups.Select(Named)] });

    private LocksAndWaits Named(LocksAndWaits read)
    {
        Known<IReadOnlyList<LockFacts>> named = read.Locks.Select<IReadOnlyList<LockFacts>>(all => [.. all.Select(Named)]);
        HashSet<LockId> known = named.TryGet(out IReadOnlyList<LockFacts>? locks)
            ? [.. locks.Where(@lock => @lock.Holders is not null).Select(@lock => @lock.Id)]
            : [];
        return read with
        {
            Locks = named,
            Waits = read.Waits.Select<IReadOnlyList<WaitFacts>>(all =>
                [.. all.Select(wait => known.Contains(wait.Lock) ? wait with { Kind = WaitKind.Acquire } : wait)]),
        };
    }

    private LockFacts Named(LockFacts @lock)
        => HoldersOf(@lock) is not { } holders ? @lock
            : @lock with { Holders = holders, Owner = holders is [{ Thread: { } only }] ? Known.Derived(only) : @lock.Owner };

    // Where a semaphore was made without a bound, nothing tells how many entries it had: who alone is seen to have one has the only one.
    private EntryHolder[]? HoldersOf(LockFacts @lock)
    {
        if (@lock is not
            {
                Id: { Kind: LockKind.SemaphoreSlim, Address: var address },
                Entries: { HasValue: true, Value: { Left: 0 } entries },
            })
        {
            return null;
        }

        EntryHolder[] holders =
        [
            .. _threads[address.Value].Select(thread => new EntryHolder { Thread = thread }),
            .. _flows[address.Value].Select(found => found.Flow.Address).Distinct()
                .Select(flow => new EntryHolder { Flow = new Address(flow) }),
        ];
        return holders.Length == (entries.IsBounded() ? entries.Most : 1) ? holders : null;
    }

    private FlowGroup Named(FlowGroup group)
    {
        if (group.Waits is not { Kind: FlowWaitKind.Semaphore, Address: { } semaphore, Entries.Left: 0, Taker: null } waits)
        {
            return group;
        }

        return group with
        {
            Waits = waits with
            {
                HeldBy = _threads[semaphore.Value].Cast<ThreadId?>().FirstOrDefault(),
                // Who waits for one more entry of the same is none that gives one back.
                Holder = waits.Holder
                    ?? _flows[semaphore.Value].Where(found => !_waiting.Contains((semaphore.Value, found.Flow.Address)))
                        .Select(Taker).FirstOrDefault(),
            },
        };
    }

    private FlowTaker Taker((FlowBox Flow, SemaphoreSection Section) found)
        => FlowDescriber.Taker(found.Flow, FieldNames.Plain(found.Section.Name) ?? string.Empty, _inventory!.SampleOfInnermost, _context);

    private static IEnumerable<FlowGrouping> OfSemaphores(FlowInventory? inventory)
        => (inventory?.Groups ?? []).Where(group => group.Awaited.Kind == FlowWaitKind.Semaphore);

    private static ILookup<ulong, T> Nobody<T>()
        => Array.Empty<(ulong Semaphore, T Holder)>().ToLookup(pair => pair.Semaphore, pair => pair.Holder);
}
