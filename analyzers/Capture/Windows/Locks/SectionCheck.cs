using HangTriage.Capture.Windows.Layout;
using HangTriage.Capture.Windows.Loader;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Decides whether memory is a critical section that another thread holds and at least one waits for. It is strict:
/// a word on a stack can be anything.
/// </summary>
internal sealed class SectionCheck
{
    private const int DeepestRecursion = 1 << 20;
    private const ulong HighestThreadId = 0x7FFF_FFFC;
    private const ulong SpinFlagsEnd = 0x2000_0000; // RTL_CRITICAL_SECTION_ALL_FLAG_BITS that are defined, of rtl headers

    private readonly LockContext _context;
    private readonly NativeLayout _layout;

    public SectionCheck(LockContext context)
    {
        _context = context;
        _layout = context.Layout;
    }

    /// <summary>
    /// Finds the section that a word means: its address, the address of its LockCount, on which Windows 10 and later
    /// wait, or in Wine that of its LockSemaphore.
    /// </summary>
    /// <param name="word">The word.</param>
    /// <param name="self">The thread that waits; it is not the owner.</param>
    /// <param name="isPassing">Looks for one that nobody holds at this moment.</param>
    /// <param name="section">The section's address.</param>
    public bool TryResolve(ulong word, uint self, bool isPassing, out ulong section)
    {
        section = word;
        if (word < 0x10000 || word % (ulong)_layout.PointerSize != 0)
        {
            return false;
        }

        if (IsWaitedFor(word, self))
        {
            return true;
        }

        section = word - (ulong)(_context.Loader.IsWine ? _layout.SectionSemaphore : _layout.SectionLockCount);
        return IsWaitedFor(section, self);

        bool IsWaitedFor(ulong address, uint self) => isPassing ? IsPassing(address) : IsContended(address, self);
    }

    public bool IsContended(ulong address, uint self)
        => SectionFields.TryRead(_context.Memory, _layout, address, out SectionFields fields)
            && fields.Recursion is > 0 and < DeepestRecursion
            && fields.Owner is > 0 and <= HighestThreadId && fields.Owner % 4 == 0 && fields.Owner != self
            && IsWaitedFor(fields, address);

    private bool IsPassing(ulong address)
        => SectionFields.TryRead(_context.Memory, _layout, address, out SectionFields fields)
            && CriticalSection.IsPassing(fields.LockCount, fields.Recursion, fields.Owner)
            && (fields.HasNoDebug(_layout) || LeadsBack(fields, address) == true)
            && IsWaitedFor(fields, address);

    private bool IsWaitedFor(SectionFields fields, ulong address)
        => Waiters(fields) is >= 1 and var waiters && waiters <= _context.Capture.Limits.Threads
            && fields.SpinCount < SpinFlagsEnd
            && IsSemaphore(fields.Semaphore)
            && IsDebugInfo(fields, address);

    /// <summary>Fields that a section can have, free or held. Records of other lists point at each other as sections and theirs do.</summary>
    public bool IsPlausible(SectionFields fields)
        => fields.SpinCount < SpinFlagsEnd
            && IsSemaphore(fields.Semaphore)
            && (fields.LockCount == -1
                ? fields.Recursion == 0
                : fields.Recursion is > 0 and < DeepestRecursion
                    && fields.Owner is > 0 and <= HighestThreadId && fields.Owner % 4 == 0
                    && Waiters(fields) is >= 0 and var waiters && waiters <= _context.Capture.Limits.Threads);

    // Windows since Vista codes waiters in bits, Wine counts plainly; each takes the other's numbers for nonsense.
    private long Waiters(SectionFields fields)
        => _context.Loader.IsWine
            ? fields.LockCount < 0 ? 0 : (long)fields.LockCount - (fields.Recursion - 1L)
            : fields.LockCount < -1 && (fields.Recursion == 0 || (fields.LockCount & 1) == 0) ? (-1L - fields.LockCount) >> 2 : 0;

    private bool IsSemaphore(ulong value)
        => value <= uint.MaxValue || (_layout.PointerSize == sizeof(ulong) && value == ulong.MaxValue);

    /// <summary>A debug record leads back to its section. One that is not in the dump proves nothing against it.</summary>
    private bool IsDebugInfo(SectionFields fields, ulong address)
        => LeadsBack(fields, address) ?? (fields.DebugInfo % (ulong)_layout.PointerSize == 0 || fields.DebugInfo >= uint.MaxValue);

    // Null where there is no debug record, or where it is not in the dump.
    private bool? LeadsBack(SectionFields fields, ulong address)
        => fields.TryGetDebug(_layout, out ulong debug)
            && _context.Memory.TryReadPointer(unchecked(debug + (ulong)_layout.DebugSection), _layout.PointerSize, out ulong back)
            ? back == address
            : null;
}
