using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Gathers every hash table of the heap; their arrays are read after the walk, in the order of their addresses.</summary>
internal sealed class TableVisitor(TableLayouts layouts, int limit) : IHeapVisitor
{
    private readonly List<Table> _tables = [];
    private TableLayout? _last;

    public IReadOnlyList<Table> Tables => _tables;

    /// <summary>How many there were beyond the limit.</summary>
    public int Left { get; private set; }

    public bool Wants(ClrType type) => layouts.OfTable(type) is not null;

    public void Visit(HeapObject found)
    {
        if (_tables.Count == limit)
        {
            Left++;
            return;
        }

        _last = _last?.Type == found.Type ? _last : layouts.OfTable(found.Type)!;
        _tables.Add(Table.Of(found, _last));
    }
}
