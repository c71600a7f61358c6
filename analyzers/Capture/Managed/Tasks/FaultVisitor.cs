using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// Gathers the async methods that have ended with an exception: the task of such a method says so for as long as it is on the heap, and its
/// type says which method it was.
/// </summary>
internal sealed class FaultVisitor : IHeapVisitor
{
    private const int Most = 1_024;

    private readonly Dictionary<ulong, int> _flags = [];
    private readonly Dictionary<ulong, (string Type, ulong Task)> _found = [];

    public bool Wants(ClrType type)
    {
        if (type.Name is not { } name || !StateMachine.IsNameOfBox(name) || type.GetFieldByName("m_stateFlags") is not { } flags)
        {
            return false;
        }

        _flags[type.MethodTable] = flags.Offset;
        return true;
    }

    public void Visit(HeapObject found)
    {
        ulong table = found.Type.MethodTable;
        if (!_found.ContainsKey(table) && _found.Count < Most && TaskObject.IsFaulted(found.ReadInt32(_flags[table])))
        {
            _found.Add(table, (found.Type.Name!, found.Address));
        }
    }

    /// <summary>The names of their state machines, as "App.Desk+&lt;ServeAsync&gt;d__4", each with the type of one exception.</summary>
    public IReadOnlyDictionary<string, string?> Machines(ClrHeap heap)
        => _found.Values
            .Select(found => (Machine: StateMachine.MachineOfBox(found.Type), found.Task))
            .Where(found => found.Machine is not null)
            .DistinctBy(found => found.Machine)
            .ToDictionary(found => found.Machine!, found => TaskObject.FaultOf(heap.GetObject(found.Task)), StringComparer.Ordinal);
}
