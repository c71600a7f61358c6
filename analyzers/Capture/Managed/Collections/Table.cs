using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>A hash table's own fields as they were read.</summary>
/// <param name="Address">Of the object.</param>
/// <param name="Layout">Of its type.</param>
/// <param name="Buckets">Address of the array of buckets; 0 where there is none yet.</param>
/// <param name="Entries">Address of the array of entries; 0 where there is none yet.</param>
/// <param name="Count">Entries that were ever taken.</param>
/// <param name="FreeList">The first free entry.</param>
/// <param name="FreeCount">Free entries.</param>
internal readonly record struct Table(ulong Address, TableLayout Layout, ulong Buckets, ulong Entries, int Count, int FreeList, int FreeCount)
{
    /// <summary>Null where the object is not in the input.</summary>
    public static Table? Read(IDataReader reader, ulong address, TableLayout layout)
    {
        byte[] content = new byte[layout.Type.StaticSize];
        return reader.Read(address, content) == content.Length
            ? Of(new HeapObject(address, layout.Type, (ulong)content.Length, content, reader.PointerSize), layout)
            : null;
    }

    public static Table Of(HeapObject found, TableLayout layout)
    {
        int count = found.ReadInt32(layout.Count);
        return new Table(
            found.Address,
            layout,
            found.ReadPointer(layout.Buckets),
            found.ReadPointer(layout.Entries),
            count,
            found.ReadInt32(layout.FreeList),
            layout.FreeCount is { } free ? found.ReadInt32(free) : unchecked(count - found.ReadInt32(layout.LiveCount!.Value)));
    }
}
