using System.Buffers.Binary;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A block of the target's memory: where it lies and what it holds. Offsets count from its start.</summary>
public sealed class SyntheticMemory(ulong address, byte[] bytes)
{
    public SyntheticMemory(ulong address, int size)
        : this(address, new byte[size])
    {
    }

    public ulong Address { get; } = address;

    public byte[] Bytes { get; } = bytes;

    public ulong End => Address + (ulong)Bytes.Length;

    public SyntheticMemory U8(int offset, byte value)
    {
        Bytes[offset] = value;
        return this;
    }

    public SyntheticMemory U16(int offset, ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(Bytes.AsSpan(offset, 2), value);
        return this;
    }

    public SyntheticMemory U32(int offset, uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(Bytes.AsSpan(offset, 4), value);
        return this;
    }

    public SyntheticMemory U64(int offset, ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(Bytes.AsSpan(offset, 8), value);
        return this;
    }

    public SyntheticMemory Copy(int offset, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Bytes.AsSpan(offset));
        return this;
    }

    public bool Contains(ulong address) => address >= Address && address < End;

    /// <summary>The word at an address of the target, not at an offset.</summary>
    public ulong ReadU64(ulong address)
        => BinaryPrimitives.ReadUInt64LittleEndian(Bytes.AsSpan(OffsetOf(address), 8));

    public uint ReadU32(ulong address)
        => BinaryPrimitives.ReadUInt32LittleEndian(Bytes.AsSpan(OffsetOf(address), 4));

    public int OffsetOf(ulong address)
        => Contains(address)
            ? (int)(address - Address)
            : throw new ArgumentOutOfRangeException(nameof(address), $"0x{address:x} is not in 0x{Address:x}-0x{End:x}.");
}
