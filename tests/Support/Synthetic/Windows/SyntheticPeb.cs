namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The PEB of an x64 process.</summary>
public sealed class SyntheticPeb(ulong address)
{
    public const int Size = 0x1000;

    /// <summary>The bytes, for fields that have no method here.</summary>
    public SyntheticMemory Memory { get; } = new(address, Size);

    public ulong Address => Memory.Address;

    public SyntheticPeb ImageBase(ulong address)
    {
        Memory.U64(0x10, address);
        return this;
    }

    public SyntheticPeb Ldr(ulong address)
    {
        Memory.U64(0x18, address);
        return this;
    }

    public SyntheticPeb LoaderLock(ulong address)
    {
        Memory.U64(0x110, address);
        return this;
    }

    public SyntheticPeb OsVersion(uint major, uint minor, ushort build)
    {
        Memory.U32(0x118, major).U32(0x11C, minor).U16(0x120, build).U32(0x124, 2);
        return this;
    }

    /// <summary>One of the 128 entries of WaitOnAddressHashTable, which Windows 10 and later have.</summary>
    public SyntheticPeb WaitOnAddressBucket(int index, ulong entry)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, 127);
        Memory.U64(0x3A0 + (8 * index), entry);
        return this;
    }
}
