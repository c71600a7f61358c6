using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>The layouts of the types that were asked about, each found once.</summary>
internal sealed class TableLayouts(ClrHeap heap)
{
    private readonly Dictionary<ulong, TableLayout?> _tables = [];
    private readonly Dictionary<ulong, EntryLayout?> _entries = [];

    /// <summary>Null for a type that is no hash table.</summary>
    public TableLayout? OfTable(ClrType? type)
    {
        if (type is null)
        {
            return null;
        }

        if (!_tables.TryGetValue(type.MethodTable, out TableLayout? layout))
        {
            layout = TableLayout.Of(type);
            _tables.Add(type.MethodTable, layout);
        }

        return layout;
    }

    /// <param name="methodTable">Of the array of entries.</param>
    /// <param name="array">The array: without one ClrMD does not find, and never again, what it is made of.</param>
    public EntryLayout? OfEntries(ulong methodTable, ulong array)
    {
        if (!_entries.TryGetValue(methodTable, out EntryLayout? layout))
        {
            layout = EntryLayout.Of(heap.GetObjectType(array));
            _entries.Add(methodTable, layout);
        }

        return layout;
    }
}
