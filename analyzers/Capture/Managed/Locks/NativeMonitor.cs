using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// The runtime's native monitor (AwareLock, up to .NET 10): state and recursion in 32 bits each, the owner, the owner's
/// operating-system id in a word of pointer size, 32 bits of no use here, and the index of its sync block.
/// </summary>
/// <param name="State">Bit 0: held; bit 5: a thread that waits was woken to try again; from bit 6 on: how many wait.</param>
/// <param name="OwnerOsId">The owner's operating-system thread id, kept even when that thread has ended; 0 for none.</param>
/// <param name="SyncBlockIndex">The sync block that this is the lock of.</param>
internal sealed record NativeMonitor(uint State, uint OwnerOsId, int SyncBlockIndex)
{
    /// <summary>Where, with pointers of 64 bits, it notes since when nobody who waits has got it.</summary>
    public const int StarvationAt = 48;

    // The sync block's own marks are above the 26 bits that an object's header has for an index.
    private const uint IndexMask = 0x03FF_FFFF;

    public bool IsHeld => (State & 1) != 0;

    public bool HasWokenWaiter => (State & 0x20) != 0;

    public uint Waiters => State >> 6;

    /// <param name="reader">The target.</param>
    /// <param name="address">Where the lock lies.</param>
    /// <param name="ownerOffset">As the runtime states it; null where it does not: two 32-bit fields and a pointer come before.</param>
    public static NativeMonitor? Read(IDataReader reader, ulong address, int? ownerOffset)
    {
        uint pointer = (uint)reader.PointerSize;
        ulong owner = unchecked(address + (ownerOffset is int stated ? (uint)stated : 8 + pointer));
        return owner > address
            && reader.Read(address, out uint state)
            && reader.ReadPointer(owner, out ulong osId)
            && osId <= uint.MaxValue
            && reader.Read(unchecked(owner + pointer + 4), out uint index)
                ? new NativeMonitor(state, (uint)osId, (int)(index & IndexMask))
                : null;
    }
}
