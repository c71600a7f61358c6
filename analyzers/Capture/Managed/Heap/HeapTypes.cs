using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>The types that a walk meets, by their method tables.</summary>
internal sealed class HeapTypes(ClrRuntime runtime, IReadOnlyList<IHeapVisitor> visitors)
{
    // While a collection marks, the lowest bits of a method table pointer are its.
    private const ulong MarkBits = 7;

    private readonly Dictionary<ulong, HeapType?> _types = [];

    /// <summary>Null for what is no method table.</summary>
    public HeapType? Of(ulong methodTable)
    {
        if (!_types.TryGetValue(methodTable, out HeapType? type))
        {
            type = Look(methodTable & ~MarkBits);
            _types.Add(methodTable, type);
        }

        return type;
    }

    private HeapType? Look(ulong methodTable)
        => methodTable != 0 && runtime.GetTypeByMethodTable(methodTable) is { StaticSize: > 0 } type
            ? new HeapType(type, StaticSize(type), (uint)type.ComponentSize, type.IsFree ? [] : [.. visitors.Where(visitor => visitor.Wants(type))])
            : null;

    // ClrMD leaves out a string's terminating zero.
    private static uint StaticSize(ClrType type) => (uint)type.StaticSize + (type.IsString ? sizeof(char) : 0u);
}
