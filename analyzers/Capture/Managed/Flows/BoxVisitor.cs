using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Gathers the boxes of async methods that have begun and not ended.</summary>
internal sealed class BoxVisitor(int limit) : IHeapVisitor
{
    // Faulted, cancelled, ran to completion.
    private const int Ended = 0x160_0000;

    private readonly Dictionary<ulong, BoxType> _types = [];
    private readonly List<FlowBox> _boxes = [];
    private ulong _lastTable;
    private BoxType? _last;

    public IReadOnlyList<FlowBox> Boxes => _boxes;

    /// <summary>How many there were beyond the limit.</summary>
    public int Left { get; private set; }

    /// <summary>How many could not be read.</summary>
    public int Unreadable { get; private set; }

    public bool Wants(ClrType type)
    {
        if (BoxType.Of(type) is not { } box)
        {
            return false;
        }

        _types[type.MethodTable] = box;
        return true;
    }

    public void Visit(HeapObject found)
    {
        if (_last is null || found.Type.MethodTable != _lastTable)
        {
            _lastTable = found.Type.MethodTable;
            _last = _types[_lastTable];
        }

        try
        {
            Add(found, _last);
        }
        catch (ArgumentOutOfRangeException)
        {
            // A field lies behind what is read of the object.
            Unreadable++;
        }
    }

    private void Add(HeapObject found, BoxType type)
    {
        if (IsAtRest(found, type))
        {
            return;
        }

        FlowBox? box = type.Method is { } method ? Inline(found, type, method)
            : found.ReadPointer(type.MachineOffset) is not 0 and ulong machine ? new FlowBox(found.Address, null, machine, 0, 0, Continuation(found, type))
            : null;
        if (box is not { } kept)
        {
            return;
        }

        if (_boxes.Count < limit)
        {
            _boxes.Add(kept);
        }
        else
        {
            Left++;
        }
    }

    private static FlowBox? Inline(HeapObject found, BoxType type, FlowMethod method)
    {
        int state = method.IsOperation ? 0 : found.ReadInt32(type.MachineOffset + method.State);
        if (state < -1)
        {
            // Ended; or an iterator that has not begun or is parked at a yield.
            return null;
        }

        ulong awaited = 0;
        for (int index = 0; index < method.Awaiters.Count && awaited == 0; index++)
        {
            awaited = found.ReadPointer(type.MachineOffset + method.Awaiters[index]);
        }

        return new FlowBox(found.Address, method, 0, state, awaited, Continuation(found, type));
    }

    private static bool IsAtRest(HeapObject found, BoxType type)
        => type.Flags >= 0 ? (found.ReadInt32(type.Flags) & Ended) != 0
            : (type.Completed >= 0 && found.Fields[type.Completed] != 0) || (type.Context >= 0 && found.ReadPointer(type.Context) == 0);

    private static ulong Continuation(HeapObject found, BoxType type) => type.Continuation >= 0 ? found.ReadPointer(type.Continuation) : 0;
}
