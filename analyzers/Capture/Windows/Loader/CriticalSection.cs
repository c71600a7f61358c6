using HangTriage.Capture.Windows.Layout;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>
/// What the fields of an RTL_CRITICAL_SECTION mean. LockCount is documented ("Displaying a critical section"); Wine
/// counts as Windows did before Server 2003 SP1.
/// </summary>
internal static class CriticalSection
{
    private const int Free = -1;

    // Of the two lowest bits, the one is clear while somebody holds the section, the other once a waiter was told to try.
    private const int StateBits = 3;
    private const int FreeAndWoken = 1;

    public static LockFacts Read(TargetMemory memory, NativeLayout layout, LockId id, Known<string> name)
        => SectionFields.TryRead(memory, layout, id.Address.Value, out SectionFields fields)
            ? Decode(id, name, fields.LockCount, fields.Recursion, fields.Owner, isSetUp: fields.DebugInfo != 0)
            : Unknown(id, name, $"the memory at {id.Address} {memory.Absent}");

    /// <summary>Says what the fields mean. The owner of a free section is left from before, and is no owner.</summary>
    /// <param name="id">The section.</param>
    /// <param name="name">Its name.</param>
    /// <param name="lockCount">Its LockCount.</param>
    /// <param name="recursion">Its RecursionCount.</param>
    /// <param name="owner">Its OwningThread.</param>
    /// <param name="isSetUp">Another field of it is set, so that zeros in these mean something.</param>
    public static LockFacts Decode(LockId id, Known<string> name, int lockCount, int recursion, ulong owner, bool isSetUp = false)
    {
        if (lockCount == Free)
        {
            return OfFree(id, name, recursion);
        }

        if (lockCount == 0 && recursion == 0 && owner == 0 && !isSetUp)
        {
            return Unknown(id, name, "all of the section is zero: it was never set up, or its memory was lost");
        }

        bool isPlainCount = lockCount >= 0;
        if (IsPassing(lockCount, recursion, owner))
        {
            string why = $"LockCount {lockCount} counts who waits, and nobody has the section: it is changing hands";
            return Unknown(id, name, why) with { IsPassing = true };
        }

        if (!isPlainCount && (lockCount & 1) != 0)
        {
            return Unknown(id, name, $"LockCount {lockCount} says that the section is changing hands");
        }

        // Plain: one for each entry, the owner's own with them. Bits: two flags, and minus one for each waiter above.
        long waiters = isPlainCount ? (long)lockCount - (recursion - 1L) : (-1L - lockCount) >> 2;
        return new LockFacts
        {
            Id = id,
            Name = name,
            IsHeld = Known.Read(true),
            Owner = owner is > 0 and <= uint.MaxValue
                ? Known.Read(new ThreadId((uint)owner))
                : Known.Unknown<ThreadId>("owner", owner == 0 ? "the section is held and names none" : $"0x{owner:x} is no thread id"),
            Recursion = recursion > 0
                ? Known.Read((uint)recursion)
                : Known.Unknown<uint>("recursion", $"the section is held, and yet its RecursionCount is {recursion}"),
            WaiterCount = waiters >= 0 && recursion > 0
                ? Known.Derived((uint)waiters)
                : Known.Unknown<uint>("waiters", $"LockCount {lockCount} and RecursionCount {recursion} contradict each other"),
        };
    }

    /// <summary>It was given back a moment ago: a thread that waits is counted and was told to try, and nobody has it.</summary>
    public static bool IsPassing(int lockCount, int recursion, ulong owner)
        => recursion == 0 && owner == 0 && (lockCount >= 0 || (lockCount < Free && (lockCount & StateBits) == FreeAndWoken));

    private static LockFacts OfFree(LockId id, Known<string> name, int recursion) => new()
    {
        Id = id,
        Name = name,
        IsHeld = Known.Read(false),
        Owner = Known.Unknown<ThreadId>("owner", "the section is free"),
        Recursion = recursion == 0
            ? Known.Read(0u)
            : Known.Unknown<uint>("recursion", $"the section is free, and yet its RecursionCount is {recursion}"),
        WaiterCount = Known.Read(0u),
    };

    private static LockFacts Unknown(LockId id, Known<string> name, string why) => new()
    {
        Id = id,
        Name = name,
        IsHeld = Known.Unknown<bool>("state", why),
        Owner = Known.Unknown<ThreadId>("owner", why),
        Recursion = Known.Unknown<uint>("recursion", why),
        WaiterCount = Known.Unknown<uint>("waiters", why),
    };
}
