using HangTriage.Capture.Windows.Layout;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// The circular list through the debug records of critical sections, entered by the loader lock's or by another of
/// ntdll's own. ntdll puts a section
/// into it when it is created with debug information, and since Windows 10 when it is first contended; sections made
/// with the flag for no debug information are never in it.
/// </summary>
internal sealed class SectionList
{
    private const string What = "critical sections";
    private const ulong LowestAddress = 0x10000;

    private readonly LockContext _context;
    private readonly NativeLayout _layout;
    private readonly List<ulong> _sections = [];
    private readonly HashSet<ulong> _seen = [];
    private int _strays;
    private int _absent;

    private SectionList(LockContext context)
    {
        _context = context;
        _layout = context.Layout;
    }

    /// <summary>Walks the list.</summary>
    /// <param name="context">Memory, layout and limits.</param>
    /// <param name="loaderLock">Where the loader lock lies.</param>
    /// <param name="gap">Why the list is not all of the sections that the process lists; null where it is.</param>
    /// <returns>The addresses of the sections, the loader lock's not among them.</returns>
    public static IReadOnlyList<ulong> Walk(LockContext context, ulong loaderLock, out Gap? gap)
    {
        SectionList list = new(context);
        string? why = list.Walk(loaderLock);
        gap = why is null ? null : new Gap(What, why);
        return list._sections;
    }

    private string? Walk(ulong loaderLock)
    {
        string? why = TryEnter(loaderLock, out ulong start);
        if (why is not null)
        {
            start = SectionListEntry.Find(_context);
            if (start == 0)
            {
                return why + ", and no other of its records is found in ntdll's data";
            }

            Add(start);
        }

        _seen.Add(start);
        why = Follow(start, isForward: true);
        if (why is not null)
        {
            _ = Follow(start, isForward: false);
        }

        return why
            ?? (_absent > 0 ? $"the memory of {_absent} that are listed {_context.Memory.Absent}"
                : _strays > 1 ? $"{_strays} records of their list lead to no section"
                : null);
    }

    /// <summary>Goes into the list by the loader lock's debug record; says why where that does not lead into it.</summary>
    private string? TryEnter(ulong loaderLock, out ulong links)
    {
        links = 0;
        if (!SectionFields.TryRead(_context.Memory, _layout, loaderLock, out SectionFields fields))
        {
            return $"the loader lock, which can lead to the list of them, {_context.Memory.Absent}";
        }

        if (!fields.TryGetDebug(_layout, out ulong debug))
        {
            return "the loader lock, which can lead to the list of them, has no debug record";
        }

        links = debug + (ulong)_layout.DebugLinks;
        return !TryReadLinks(links, out ulong next, out ulong previous) ? $"the debug record of the loader lock {_context.Memory.Absent}"
            : next == 0 && previous == 0 ? "the loader lock is not in the list of them"
            : next == links && previous == links ? "the list of them has the loader lock alone"
            : null;
    }

    /// <summary>Goes from record to record until the start or a record that was passed before; null where that is the start.</summary>
    private string? Follow(ulong start, bool isForward)
    {
        ulong at = start;
        while (true)
        {
            if (!TryReadLinks(at, out ulong next, out ulong previous))
            {
                return $"their list breaks off: the record at {new Address(at)} {_context.Memory.Absent}";
            }

            ulong to = isForward ? next : previous;
            if (to == start)
            {
                return null;
            }

            if (!TryReadLinks(to, out ulong toNext, out ulong toPrevious) || (isForward ? toPrevious : toNext) != at)
            {
                return $"their list breaks off: the record at {new Address(to)} does not lead back to {new Address(at)}";
            }

            if (!_seen.Add(to))
            {
                return $"their list runs in a circle that leaves out the loader lock, at {new Address(to)}";
            }

            if (_sections.Count >= _context.Capture.Limits.CriticalSections)
            {
                return $"more than {_context.Capture.Limits.CriticalSections} of them are not read";
            }

            _context.Capture.Cancellation.ThrowIfCancellationRequested();
            Add(to);
            at = to;
        }
    }

    private void Add(ulong links)
    {
        ulong debug = links - (ulong)_layout.DebugLinks;
        if (!_context.Memory.TryReadPointer(debug + (ulong)_layout.DebugSection, _layout.PointerSize, out ulong section)
            || section < LowestAddress || section % (ulong)_layout.PointerSize != 0 || Overlap(section, debug))
        {
            _strays++; // one is the list's head, which lies in ntdll's data and is no record
        }
        else if (!SectionFields.TryRead(_context.Memory, _layout, section, out SectionFields fields))
        {
            _absent++;
        }
        else if (fields.DebugInfo == debug)
        {
            _sections.Add(section);
        }
        else
        {
            _strays++;
        }
    }

    // Empty lists lie around the list's head, and point to themselves as a record and its section point to each other.
    private bool Overlap(ulong section, ulong debug)
        => section < debug + (ulong)(_layout.DebugLinks * 3) && debug < section + (ulong)_layout.SectionSize;

    private bool TryReadLinks(ulong address, out ulong next, out ulong previous)
    {
        previous = 0;
        return _context.Memory.TryReadPointer(address, _layout.PointerSize, out next)
            && _context.Memory.TryReadPointer(unchecked(address + (ulong)_layout.PointerSize), _layout.PointerSize, out previous);
    }
}
