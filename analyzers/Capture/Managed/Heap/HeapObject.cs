using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>An object that a walk over the heap has come to, with its content as it was read.</summary>
internal readonly ref struct HeapObject
{
    private readonly ReadOnlySpan<byte> _content;
    private readonly int _pointerSize;

    /// <param name="address">Of its method table.</param>
    /// <param name="type">Its type.</param>
    /// <param name="size">In bytes, up to the next object.</param>
    /// <param name="content">From its method table on; of a large object only the beginning.</param>
    /// <param name="pointerSize">The target's.</param>
    public HeapObject(ulong address, ClrType type, ulong size, ReadOnlySpan<byte> content, int pointerSize)
    {
        Address = address;
        Type = type;
        Size = size;
        _content = content;
        _pointerSize = pointerSize;
    }

    public ulong Address { get; }

    public ClrType Type { get; }

    public ulong Size { get; }

    /// <summary>The bytes after the method table, from the first field on; of a large object only the beginning.</summary>
    public ReadOnlySpan<byte> Fields => _content[_pointerSize..];

    /// <param name="offset">As <see cref="ClrField.Offset"/> has it: from the first field on.</param>
    public ulong ReadPointer(int offset)
        => _pointerSize == sizeof(ulong)
            ? BinaryPrimitives.ReadUInt64LittleEndian(Fields[offset..])
            : BinaryPrimitives.ReadUInt32LittleEndian(Fields[offset..]);

    /// <param name="offset">As <see cref="ClrField.Offset"/> has it: from the first field on.</param>
    public int ReadInt32(int offset) => BinaryPrimitives.ReadInt32LittleEndian(Fields[offset..]);
}
