using System.Buffers.Binary;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>
/// RTL_CRITICAL_SECTION of winnt.h for x64: DebugInfo 0, LockCount 8, RecursionCount 0xC, OwningThread 0x10,
/// LockSemaphore 0x18, SpinCount 0x20. What LockCount means is documented ("Displaying a critical section"); Wine
/// counts as Windows did before Server 2003 SP1.
/// </summary>
internal static class CriticalSection
{
    private const int Size = 0x28;
    private const int Free = -1;

    public static LockFacts Read(TargetMemory memory, LockId id, string name)
    {
        Span<byte> section = stackalloc byte[Size];
        return memory.TryRead(id.Address.Value, section)
            ? Decode(
                id,
                name,
                BinaryPrimitives.ReadInt32LittleEndian(section[8..]),
                BinaryPrimitives.ReadInt32LittleEndian(section[0xC..]),
                BinaryPrimitives.ReadUInt64LittleEndian(section[0x10..]))
            : Unknown(id, name, $"the memory at {id.Address} {memory.Absent}");
    }

    /// <summary>Says what the fields mean. The owner of a free section is left from before, and is no owner.</summary>
    public static LockFacts Decode(LockId id, string name, int lockCount, int recursion, ulong owner)
    {
        if (lockCount == Free)
        {
            return new LockFacts
            {
                Id = id,
                Name = Known.Derived(name),
                IsHeld = Known.Read(false),
                Owner = Known.Unknown<ThreadId>("owner", "the section is free"),
                Recursion = recursion == 0
                    ? Known.Read(0u)
                    : Known.Unknown<uint>("recursion", $"the section is free, and yet its RecursionCount is {recursion}"),
                WaiterCount = Known.Read(0u),
            };
        }

        bool isPlainCount = lockCount >= 0;
        if (!isPlainCount && (lockCount & 1) != 0)
        {
            return Unknown(id, name, $"LockCount {lockCount} says that the section is changing hands");
        }

        // Plain: one for each entry, the owner's own with them. Bits: two flags, and minus one for each waiter above.
        long waiters = isPlainCount ? (long)lockCount - (recursion - 1L) : (-1L - lockCount) >> 2;
        return new LockFacts
        {
            Id = id,
            Name = Known.Derived(name),
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

    private static LockFacts Unknown(LockId id, string name, string why) => new()
    {
        Id = id,
        Name = Known.Derived(name),
        IsHeld = Known.Unknown<bool>("state", why),
        Owner = Known.Unknown<ThreadId>("owner", why),
        Recursion = Known.Unknown<uint>("recursion", why),
        WaiterCount = Known.Unknown<uint>("waiters", why),
    };
}
