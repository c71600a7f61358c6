using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>The types that a walk meets, by their method tables.</summary>
internal sealed class HeapTypes(ClrHeap heap, IReadOnlyList<IHeapVisitor> visitors)
{
    private readonly Dictionary<ulong, HeapType?> _types = [];

    /// <param name="methodTable">Of the object.</param>
    /// <param name="address">The object: without one ClrMD does not find, and never again, what an array is made of.</param>
    /// <returns>Null for what is no method table.</returns>
    public HeapType? Of(ulong methodTable, ulong address)
    {
        if (!_types.TryGetValue(methodTable, out HeapType? type))
        {
            type = Look(address);
            _types.Add(methodTable, type);
        }

        return type;
    }

    /// <summary>Null for what the walk has not met as a type.</summary>
    public HeapType? Known(ulong methodTable) => _types.GetValueOrDefault(methodTable);

    // Where a walk has lost its way, any word comes here.
    private HeapType? Look(ulong address)
    {
        using TypeGuesses guesses = new(heap.Runtime.DataTarget.DataReader);
        return heap.GetObjectType(address) is { StaticSize: > 0 } type
            ? new HeapType(type, StaticSize(type), (uint)type.ComponentSize, type.IsFree ? [] : [.. visitors.Where(visitor => visitor.Wants(type))])
            : null;
    }

    // ClrMD leaves out a string's terminating zero.
    private static uint StaticSize(ClrType type) => (uint)type.StaticSize + (type.IsString ? sizeof(char) : 0u);
}
