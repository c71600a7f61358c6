using System.Buffers.Binary;
using System.Text;
using HangTriage.Traces.Etl;

namespace HangTriage.Traces.Windows;

/// <summary>Reads a payload front to back. What lies behind its end reads as 0 or empty, and is remembered.</summary>
internal ref struct PayloadReader
{
    /// <summary>Characters of a name that are kept.</summary>
    private const int LongestName = 512;

    private readonly ReadOnlySpan<byte> _payload;
    private readonly int _pointerSize;

    public PayloadReader(in EtlEvent traceEvent)
    {
        _payload = traceEvent.Payload;
        _pointerSize = traceEvent.PointerSize;
    }

    /// <summary>Where the next value lies, in bytes from the payload's start.</summary>
    public int Position { get; set; }

    /// <summary>Something was read that the payload does not have.</summary>
    public bool IsShort { get; private set; }

    public readonly int Left => Math.Max(0, _payload.Length - Position);

    public byte U8() => Take(1) is { IsEmpty: false } bytes ? bytes[0] : (byte)0;

    public ushort U16() => Take(sizeof(ushort)) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : (ushort)0;

    public uint U32() => Take(sizeof(uint)) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong U64() => Take(sizeof(ulong)) is { IsEmpty: false } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    public ulong Pointer() => _pointerSize == sizeof(uint) ? U32() : U64();

    public void Skip(int count) => _ = Take(count);

    public void SkipPointers(int count) => Skip(count * _pointerSize);

    /// <summary>UTF-16 up to a zero or the payload's end.</summary>
    public string Utf16()
    {
        ReadOnlySpan<byte> rest = _payload[Math.Min(Position, _payload.Length)..];
        int length = 0;
        while (length + 1 < rest.Length && (rest[length] | rest[length + 1]) != 0)
        {
            length += sizeof(char);
        }

        Position += length + sizeof(char);
        return Encoding.Unicode.GetString(rest[..Math.Min(length, LongestName * sizeof(char))]);
    }

    /// <summary>Bytes up to a zero or the payload's end.</summary>
    public string Bytes()
    {
        ReadOnlySpan<byte> rest = _payload[Math.Min(Position, _payload.Length)..];
        int zero = rest.IndexOf((byte)0);
        int length = zero < 0 ? rest.Length : zero;
        Position += length + 1;
        return Encoding.Latin1.GetString(rest[..Math.Min(length, LongestName)]);
    }

    /// <summary>
    /// A TOKEN_USER with its SID: a pointer that is not zero, as much again, then revision, number of parts, 6 bytes of
    /// authority and 4 bytes for each part; or four zeros for none.
    /// </summary>
    public void SkipSid()
    {
        int start = Position;
        if (U32() == 0)
        {
            return;
        }

        Position = start;
        SkipPointers(2);
        Skip(1);
        int parts = U8();
        Skip(6 + (parts * sizeof(uint)));
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count < 0 || count > _payload.Length - Position)
        {
            IsShort = true;
            Position = _payload.Length;
            return default;
        }

        Position += count;
        return _payload.Slice(Position - count, count);
    }
}
