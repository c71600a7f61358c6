using System.Buffers.Binary;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A growing little-endian buffer.</summary>
public sealed class ByteWriter
{
    private byte[] _bytes = new byte[256];

    /// <summary>How many bytes are written; the offset of the next one.</summary>
    public int Length { get; private set; }

    public ByteWriter U8(byte value)
    {
        Claim(1)[0] = value;
        return this;
    }

    public ByteWriter U16(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(Claim(2), value);
        return this;
    }

    public ByteWriter U32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(Claim(4), value);
        return this;
    }

    public ByteWriter U64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(Claim(8), value);
        return this;
    }

    public ByteWriter Bytes(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Claim(bytes.Length));
        return this;
    }

    public ByteWriter Zeros(int count) => Fill(0, count);

    public ByteWriter Fill(byte value, int count)
    {
        Claim(count).Fill(value);
        return this;
    }

    /// <summary>Pads up to a multiple of <paramref name="alignment"/>.</summary>
    public ByteWriter Align(int alignment, byte padding = 0)
        => Fill(padding, (alignment - (Length % alignment)) % alignment);

    public void PatchU32(int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Written(offset, 4), value);

    public void PatchU64(int offset, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Written(offset, 8), value);

    public void Patch(int offset, ReadOnlySpan<byte> bytes) => bytes.CopyTo(Written(offset, bytes.Length));

    public byte[] ToArray() => _bytes.AsSpan(0, Length).ToArray();

    private Span<byte> Claim(int count)
    {
        int start = Length;
        Length = checked(start + count);
        if (Length > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Max(Length, _bytes.Length * 2));
        }

        return _bytes.AsSpan(start, count);
    }

    private Span<byte> Written(int offset, int count) => _bytes.AsSpan(0, Length).Slice(offset, count);
}
