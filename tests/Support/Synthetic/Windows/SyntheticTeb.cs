namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The TEB of an x64 thread.</summary>
public sealed class SyntheticTeb
{
    public const int Size = 0x2000;

    public SyntheticTeb(ulong address, uint pid, uint tid, ulong peb)
    {
        Memory = new SyntheticMemory(address, Size);
        Memory.U64(0x30, address).U64(0x40, pid).U64(0x48, tid).U64(0x60, peb);
    }

    /// <summary>The bytes, for fields that have no method here.</summary>
    public SyntheticMemory Memory { get; }

    public ulong Address => Memory.Address;

    public SyntheticTeb Stack(ulong stackBase, ulong limit, ulong allocation)
    {
        Memory.U64(0x08, stackBase).U64(0x10, limit).U64(0x1478, allocation);
        return this;
    }

    public SyntheticTeb OwnedCriticalSections(uint count)
    {
        Memory.U32(0x6C, count);
        return this;
    }

    public SyntheticTeb WaitingOnLoaderLock(uint value)
    {
        Memory.U32(0x1760, value);
        return this;
    }

    /// <summary>LoadOwner is 0x1000, LoaderWorker 0x2000, SkipLoaderInit 0x4000.</summary>
    public SyntheticTeb SameTebFlags(ushort flags)
    {
        Memory.U16(0x17EE, flags);
        return this;
    }
}
