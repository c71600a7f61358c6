using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>What a walk needs to know of a type, looked up once.</summary>
/// <param name="Type">The type.</param>
/// <param name="StaticSize">Bytes of an object without its elements.</param>
/// <param name="ComponentSize">Bytes of an element; 0 for a type without.</param>
/// <param name="Visitors">Who wants its objects.</param>
internal sealed record HeapType(ClrType Type, uint StaticSize, uint ComponentSize, IHeapVisitor[] Visitors)
{
    /// <summary>Bytes of an object, up to the next one.</summary>
    /// <param name="content">The object, at least up to its length.</param>
    /// <param name="pointerSize">The target's.</param>
    /// <param name="alignment">Of the objects of its segment.</param>
    public ulong SizeOf(ReadOnlySpan<byte> content, int pointerSize, ulong alignment)
    {
        ulong size = StaticSize;
        if (ComponentSize > 0)
        {
            size += (ulong)BinaryPrimitives.ReadUInt32LittleEndian(content[pointerSize..]) * ComponentSize;
        }

        return Align(Math.Max(size, (ulong)pointerSize * 3), alignment);
    }

    public static ulong Align(ulong size, ulong alignment) => (size + alignment - 1) & ~(alignment - 1);
}
