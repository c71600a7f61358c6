using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Reads single words of objects by offset: for many objects of few types that is far cheaper than by field.</summary>
internal sealed class TargetWords(ClrRuntime runtime)
{
    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly Dictionary<ulong, ClrType?> _types = [];

    public ClrHeap Heap => runtime.Heap;

    public int PointerSize { get; } = runtime.DataTarget.DataReader.PointerSize;

    /// <summary>The object's type; null where there is no object.</summary>
    public ClrType? TypeOf(ulong address)
    {
        if (address == 0 || !_reader.ReadPointer(address, out ulong table) || table == 0)
        {
            return null;
        }

        if (!_types.TryGetValue(table, out ClrType? type))
        {
            type = runtime.Heap.GetObjectType(address);
            _types.Add(table, type);
        }

        return type;
    }

    /// <summary>What a field refers to; 0 for nothing, where the type has no such field, and where it is not in the input.</summary>
    /// <param name="address">The object.</param>
    /// <param name="offset">As <see cref="ClrField.Offset"/> has it; negative for no such field.</param>
    public ulong Reference(ulong address, int offset)
        => address != 0 && offset >= 0 && _reader.ReadPointer(address + (uint)PointerSize + (uint)offset, out ulong value) ? value : 0;

    /// <summary>A number; null where the type has no such field, and where it is not in the input.</summary>
    /// <param name="address">The object.</param>
    /// <param name="offset">As <see cref="ClrField.Offset"/> has it; negative for no such field.</param>
    public int? Number(ulong address, int offset)
        => address != 0 && offset >= 0 && _reader.Read(address + (uint)PointerSize + (uint)offset, out int value) ? value : null;
}
