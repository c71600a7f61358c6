using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Gathers the native locks of a process and who waits for them: thread by thread, then all together.</summary>
internal sealed class LockReader
{
    private const int MostGaps = 64;

    private readonly LockContext _context;
    private readonly Known<IReadOnlyList<HandleFacts>> _handles;
    private readonly SectionWaits _sectionWaits;
    private readonly SrwWaits _srwWaits;
    private readonly ObjectWaits _objectWaits;
    private readonly Dictionary<uint, ThreadView> _threads = [];
    private readonly List<Gap> _gaps = [];
    private bool _hasNamedWait;

    public LockReader(LockContext context, Known<IReadOnlyList<HandleFacts>> handles)
    {
        _context = context;
        _handles = handles;
        _sectionWaits = new SectionWaits(context);
        _srwWaits = new SrwWaits(context);
        _objectWaits = new ObjectWaits(context, handles);
    }

    /// <summary>Looks at a thread; each once.</summary>
    public void Note(ThreadView thread, Known<SystemCallFacts>? call)
    {
        _threads.TryAdd(thread.Thread.Id, thread with { Registers = [] });
        _hasNamedWait |= thread.Frames.Any(frame => WindowsModules.IsNtdll(frame) && frame.Method is not null);
        if (WaitEntry.Find(thread.Frames) is not { } entry)
        {
            _objectWaits.Note(thread, call);
        }
        else if (entry.Kind == LockKind.SrwLock)
        {
            _srwWaits.Note(thread, entry);
        }
        else
        {
            _sectionWaits.Note(thread, entry);
        }
    }

    /// <summary>Says what was found, once all threads were looked at.</summary>
    public NativeLocks Complete(Known<Address> peb, Known<LockFacts> loaderLock)
    {
        SectionTable sections = new(_context, peb, loaderLock);
        WaitTable table = WaitTable.Read(_context, peb, _threads);
        _gaps.AddRange(table.Gaps);
        AddListed(sections, loaderLock);
        List<WaitFacts> waits = [.. _sectionWaits.Decide(table, sections, _gaps)];
        AddFlagged(waits, loaderLock);
        AddAddresses(waits, table);
        waits.AddRange(_srwWaits.Decide(_threads, _gaps));
        waits.AddRange(_objectWaits.Waits);
        _gaps.AddRange(_objectWaits.Gaps);
        HashSet<ulong> waitedFor = [.. waits.Select(wait => wait.Lock.Address.Value)];
        IReadOnlyList<LockFacts> locks = [.. sections.Noteworthy(waitedFor), .. _srwWaits.Locks(_threads.Values), .. Mutexes.Noteworthy(_handles, waitedFor)];
        bool canTell = table.IsWhole || _hasNamedWait || waits.Count > 0;
        return new NativeLocks(
            canTell || loaderLock.HasValue
                ? Known.Derived(locks)
                : Known.Unknown<IReadOnlyList<LockFacts>>("native locks", $"the loader lock, which leads to them, is not known: {loaderLock.Gap!.Why}"),
            canTell
                ? Known.Derived<IReadOnlyList<WaitFacts>>(waits)
                : Known.Unknown<IReadOnlyList<WaitFacts>>("native waits", WhyBlind(table)),
            Cut(_gaps));
    }

    private void AddListed(SectionTable sections, Known<LockFacts> loaderLock)
    {
        if (!loaderLock.TryGet(out LockFacts? loader))
        {
            return;
        }

        IReadOnlyList<ulong> listed = SectionList.Walk(_context, loader.Id.Address.Value, out Gap? gap);
        foreach (ulong address in listed)
        {
            _ = sections[address];
        }

        if (gap is not null)
        {
            _gaps.Add(gap);
        }
    }

    /// <summary>Threads whose environment block says that they wait for the loader lock, where nothing better was found.</summary>
    private void AddFlagged(List<WaitFacts> waits, Known<LockFacts> loaderLock)
    {
        if (!loaderLock.TryGet(out LockFacts? loader))
        {
            return;
        }

        HashSet<ThreadId> found = [.. waits.Select(wait => wait.Thread)];
        foreach (ThreadView thread in _threads.Values)
        {
            if (thread.Block?.Facts.WaitingOnLoaderLock is { } flag && flag.Is(isWaiting => isWaiting) && !found.Contains(thread.Id))
            {
                waits.Add(new WaitFacts
                {
                    Thread = thread.Id,
                    Lock = loader.Id,
                    Kind = WaitKind.Acquire,
                    Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
                    Trust = flag.Trust,
                    Source = "TEB.WaitingOnLoaderLock",
                });
            }
        }
    }

    /// <summary>Threads that wait for a value to change and not in a function that takes a lock.</summary>
    private void AddAddresses(List<WaitFacts> waits, WaitTable table)
    {
        HashSet<ThreadId> found = [.. waits.Select(wait => wait.Thread)];
        foreach ((uint thread, ulong address) in table.Addresses.OrderBy(pair => pair.Key))
        {
            if (!found.Contains(new ThreadId(thread)) && WaitEntry.Find(_threads[thread].Frames) is null)
            {
                waits.Add(new WaitFacts
                {
                    Thread = new ThreadId(thread),
                    Lock = new LockId(LockKind.Address, new Address(address)),
                    Kind = WaitKind.Signal,
                    Timeout = Known.Unknown<TimeSpan>("timeout", "the table of waits on addresses does not keep it"),
                    Trust = Trust.Assumed,
                    Source = "WaitOnAddress table",
                });
            }
        }
    }

    private string WhyBlind(WaitTable table)
        => "no frame in ntdll has a name, since its exports " + _context.Memory.AbsentAll
            + ", and the table of waits on addresses "
            + (_context.WhyNoWaitTable is { } why ? $"is not there: {why}" : table.Gaps is [Gap gap, ..] ? $"cannot be read: {gap.Why}" : "cannot be found");

    private static IReadOnlyList<Gap> Cut(List<Gap> gaps)
        => gaps.Count <= MostGaps
            ? gaps
            : [.. gaps.Take(MostGaps), new Gap("native locks and waits", $"{gaps.Count - MostGaps} more of them are not known")];
}
