using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Reads for whose static constructor a thread waits. The runtime's Thread has a pointer to the lock that it blocks on
/// (threads.h: m_pBlockingLock), whose first word is the Thread of the one that holds it (DeadlockAwareLock). Where that pointer lies
/// differs from version to version: it is found by where it leads, to a thread that runs a static constructor.
/// </summary>
internal sealed class ConstructorLocks(IDataReader reader)
{
    // Thread of .NET Framework 4.8 to .NET 10, 32 and 64 bits: below 2 KB. The pointer lies at 0x18 in .NET 10, at 0x50 in .NET 8.
    private const int MostBytes = 0x400;

    private int? _offset;

    /// <param name="waiter">The runtime's Thread of the one that waits.</param>
    /// <param name="holders">The runtime's Threads of those that run static constructors.</param>
    /// <returns>One of these; null where the pointer is not found, or its memory is not in the input.</returns>
    public ulong? HolderFor(ulong waiter, IReadOnlySet<ulong> holders)
    {
        // Most words of the object are no pointers.
        using OptionalReads optional = new(reader);
        if (_offset is { } known)
        {
            return At(waiter, known, holders);
        }

        for (int offset = 0; offset < MostBytes; offset += reader.PointerSize)
        {
            if (At(waiter, offset, holders) is { } holder)
            {
                _offset = offset;
                return holder;
            }
        }

        return null;
    }

    private ulong? At(ulong waiter, int offset, IReadOnlySet<ulong> holders)
        => reader.ReadPointer(waiter + (ulong)offset, out ulong blockedOn) && blockedOn != 0
            && reader.ReadPointer(blockedOn, out ulong holder) && holder != waiter && holders.Contains(holder)
                ? holder
                : null;
}
