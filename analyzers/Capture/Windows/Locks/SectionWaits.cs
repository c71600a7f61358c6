using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Finds for each thread in RtlEnterCriticalSection the section that it waits for. One place alone that fits is a
/// guess; a register that unwinding proves, a wait block, or the table of WaitOnAddress settle between several.
/// </summary>
internal sealed class SectionWaits
{
    private readonly LockContext _context;
    private readonly SectionCheck _check;
    private readonly List<Waiter> _waiters = [];

    public SectionWaits(LockContext context)
    {
        _context = context;
        _check = new SectionCheck(context);
    }

    /// <summary>Looks at a thread that is known to be in the lock function.</summary>
    public void Note(ThreadView thread, WaitEntry entry)
    {
        IReadOnlyList<Clue> clues = WaitClues.Collect(_context, thread, entry.Frame);
        Dictionary<ulong, Candidate> candidates = Candidates(thread, clues, isPassing: false);

        // What nobody holds has fewer marks of a section: a word that may be left from before does not lead to it.
        candidates = candidates.Count > 0 ? candidates : Candidates(thread, clues.Where(clue => clue.IsUnwound || clue.IsWaitBlock), isPassing: true);
        _waiters.Add(new Waiter(thread, entry.Method, [.. candidates.Values]));
    }

    private Dictionary<ulong, Candidate> Candidates(ThreadView thread, IEnumerable<Clue> clues, bool isPassing)
    {
        Dictionary<ulong, Candidate> candidates = [];
        foreach (Clue clue in clues)
        {
            if (_check.TryResolve(clue.Value, thread.Thread.Id, isPassing, out ulong section))
            {
                if (!candidates.TryGetValue(section, out Candidate? candidate))
                {
                    candidates.Add(section, candidate = new Candidate(section));
                }

                candidate.Add(clue);
            }
        }

        return candidates;
    }

    /// <summary>Decides, once all threads were looked at.</summary>
    /// <param name="table">Who waits on which address.</param>
    /// <param name="sections">Where what is found is read.</param>
    /// <param name="gaps">Takes what cannot be told.</param>
    public IReadOnlyList<WaitFacts> Decide(WaitTable table, SectionTable sections, ICollection<Gap> gaps)
    {
        Dictionary<uint, WaitFacts> waits = [];
        AddTable(table, sections, waits);
        foreach (Waiter waiter in _waiters)
        {
            Settle(waiter, waits, sections);
        }

        // A section whose waiters are all found is excluded for the threads that are left.
        Dictionary<LockId, int> found = waits.Values.GroupBy(wait => wait.Lock).ToDictionary(group => group.Key, group => group.Count());
        foreach (Waiter waiter in _waiters.Where(waiter => !waits.ContainsKey(waiter.Thread.Thread.Id)))
        {
            Candidate[] left = [.. waiter.Candidates.Where(candidate => !IsFull(sections[candidate.Section], found))];
            if (left is [Candidate only])
            {
                string note = waiter.Candidates.Count > 1 ? "; the waiters of all others that fit are found" : "";
                waits[waiter.Thread.Thread.Id] = Wait(waiter, sections[only.Section], Trust.Scanned, only.Where + note);
                LockId id = sections[only.Section].Id;
                found[id] = found.GetValueOrDefault(id) + 1;
            }
            else
            {
                gaps.Add(Unknown(waiter));
            }
        }

        CrossCheck(waits, sections, gaps);
        return [.. waits.OrderBy(pair => pair.Key).Select(pair => pair.Value)];
    }

    private void AddTable(WaitTable table, SectionTable sections, Dictionary<uint, WaitFacts> waits)
    {
        foreach ((uint thread, ulong address) in table.Addresses)
        {
            ulong section = address - (ulong)_context.Layout.SectionLockCount;
            if (_check.IsContended(section, thread))
            {
                waits[thread] = new WaitFacts
                {
                    Thread = new ThreadId(thread),
                    Lock = sections[section].Id,
                    Kind = WaitKind.Acquire,
                    Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
                    Trust = Trust.Assumed,
                    Source = "WaitOnAddress table",
                };
            }
        }
    }

    /// <summary>Joins what the table and the stack say of a thread, where they agree or one of them is clear.</summary>
    private static void Settle(Waiter waiter, Dictionary<uint, WaitFacts> waits, SectionTable sections)
    {
        uint id = waiter.Thread.Thread.Id;
        if (waits.TryGetValue(id, out WaitFacts? wait))
        {
            Candidate? same = waiter.Candidates.FirstOrDefault(candidate => candidate.Section == wait.Lock.Address.Value);
            if (same is not null)
            {
                Trust trust = same.IsUnwound ? Trust.Derived : Trust.Scanned;
                waits[id] = wait with { Trust = trust, Source = $"{same.Where}; {wait.Source}" };
            }

            return;
        }

        Candidate[] blocks = [.. waiter.Candidates.Where(candidate => candidate.HasWaitBlock)];
        if (waiter.Candidates is [Candidate only])
        {
            waits[id] = Wait(waiter, sections[only.Section], only.IsUnwound ? Trust.Derived : Trust.Scanned, only.Where);
        }
        else if (blocks is [Candidate block])
        {
            waits[id] = Wait(waiter, sections[block.Section], Trust.Scanned, block.Where + "; the only one of those that fit with a wait block");
        }
    }

    private static bool IsFull(LockFacts section, Dictionary<LockId, int> found)
        => section.WaiterCount.TryGet(out uint count) && found.GetValueOrDefault(section.Id) >= count;

    private static void CrossCheck(Dictionary<uint, WaitFacts> waits, SectionTable sections, ICollection<Gap> gaps)
    {
        foreach (IGrouping<LockId, WaitFacts> group in waits.Values.GroupBy(wait => wait.Lock).ToArray())
        {
            if (sections[group.Key.Address.Value].IsPassing)
            {
                continue;
            }

            uint counted = sections[group.Key.Address.Value].WaiterCount.TryGet(out uint count) ? count : 0;
            int found = group.Count();
            if (found != counted)
            {
                gaps.Add(new Gap(
                    $"waiters of the critical section at {group.Key.Address}", $"its LockCount counts {counted} and {found} were found"));
                continue;
            }

            foreach (WaitFacts wait in group)
            {
                waits[wait.Thread.Value] = wait with { Source = wait.Source + "; LockCount counts as many" };
            }
        }
    }

    private static WaitFacts Wait(Waiter waiter, LockFacts section, Trust trust, string source) => new()
    {
        Thread = waiter.Thread.Id,
        Lock = section.Id,
        Kind = WaitKind.Acquire,
        Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
        Trust = trust,
        Source = source,
    };

    private static Gap Unknown(Waiter waiter) => new(
        $"critical section that thread {waiter.Thread.Id} waits for in {waiter.Method}",
        waiter.Candidates.Count == 0
            ? "no register and no word on its stack leads to a section that another thread holds and that counts a waiter"
            : $"{waiter.Candidates.Count} sections fit, and nothing excludes all but one");

    private sealed record Waiter(ThreadView Thread, string Method, IReadOnlyList<Candidate> Candidates);

    private sealed class Candidate(ulong section)
    {
        public ulong Section { get; } = section;

        public bool IsUnwound { get; private set; }

        public bool HasWaitBlock { get; private set; }

        /// <summary>The best place, and whether a wait block says the same.</summary>
        public string Where => _where + (HasWaitBlock && !_isBlock ? " and a wait block on the stack" : _isBlock ? " (wait block)" : "");

        private string _where = "";
        private bool _isBlock;

        public void Add(Clue clue)
        {
            if (_where.Length == 0 || (clue.IsWaitBlock && !IsUnwound && !HasWaitBlock))
            {
                _where = clue.Where;
                _isBlock = clue.IsWaitBlock;
            }

            IsUnwound |= clue.IsUnwound;
            HasWaitBlock |= clue.IsWaitBlock;
        }
    }
}
