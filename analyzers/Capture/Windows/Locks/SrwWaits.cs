using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Finds for each thread in RtlAcquireSRWLockExclusive or ...Shared the lock whose chain of waiters it is in.</summary>
internal sealed class SrwWaits
{
    private readonly LockContext _context;
    private readonly List<(ThreadView Thread, WaitEntry Entry, Clue[] Clues)> _waiters = [];
    private readonly Dictionary<ulong, SrwLock?> _locks = [];
    private readonly HashSet<SrwLock> _waitedFor = [];

    public SrwWaits(LockContext context) => _context = context;

    public void Note(ThreadView thread, WaitEntry entry)
    {
        Clue[] clues = [.. WaitClues.Collect(_context, thread, entry.Frame).Where(MayLeadToLock).DistinctBy(clue => clue.Value)];
        _waiters.Add((thread with { Registers = [] }, entry, clues));
    }

    /// <summary>Decides, once all threads were looked at.</summary>
    public IReadOnlyList<WaitFacts> Decide(IReadOnlyDictionary<uint, ThreadView> threads, ICollection<Gap> gaps)
    {
        List<WaitFacts> waits = [];
        foreach ((ThreadView thread, WaitEntry entry, Clue[] clues) in _waiters)
        {
            (SrwLock Lock, Clue Clue)[] found =
            [
                .. clues.Select(clue => (Lock: LockAt(clue.Value, threads), Clue: clue))
                    .Where(pair => pair.Lock?.Waiters.Contains(thread.Thread.Id) == true)
                    .Select(pair => (pair.Lock!, pair.Clue)),
            ];
            if (found is [(SrwLock @lock, Clue where)])
            {
                _waitedFor.Add(@lock);
                waits.Add(new WaitFacts
                {
                    Thread = thread.Id,
                    Lock = @lock.Id,
                    Kind = WaitKind.Acquire,
                    Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
                    Trust = Trust.Scanned,
                    Source = where.Where + "; its chain of wait blocks has the thread",
                });
            }
            else
            {
                gaps.Add(new Gap(
                    $"SRW lock that thread {thread.Id} waits for in {entry.Method}",
                    _context.Loader.IsWine ? "the locks of Wine keep no list of their waiters"
                        : found.Length == 0 ? "no register and no word on its stack leads to a lock that has the thread in its chain of waiters"
                        : $"{found.Length} locks fit"));
            }
        }

        return waits;
    }

    public IEnumerable<LockFacts> Locks(IEnumerable<ThreadView> threads)
    {
        SrwOwners owners = new(_context, _waitedFor.Count > 0 ? threads : []);
        return _waitedFor
            .OrderBy(@lock => @lock.Address)
            .Select(@lock => @lock.ToFacts(LockNames.ByPlace(_context.Images, @lock.Address), owners.Find(@lock)));
    }

    private SrwLock? LockAt(ulong address, IReadOnlyDictionary<uint, ThreadView> threads)
    {
        if (!_locks.TryGetValue(address, out SrwLock? @lock))
        {
            @lock = SrwLock.Read(_context, threads, address);
            _locks.Add(address, @lock);
        }

        return @lock;
    }

    // The chain needs all threads; the word itself tells most candidates apart at once.
    private bool MayLeadToLock(Clue clue)
        => !_context.Loader.IsWine
            && _context.Memory.TryReadPointer(clue.Value, _context.Layout.PointerSize, out ulong word) && (word & 2) != 0 && word > 0x10000;
}
