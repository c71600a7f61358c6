using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Blocks;

/// <summary>Gathers the blocks of Dataflow that give items out, and the fields of others that hold blocks.</summary>
/// <param name="runtime">The runtime. Where it has not loaded Dataflow, nothing is wanted: what a field's type is takes long to ask.</param>
internal sealed class BlockVisitor(ClrRuntime runtime) : IHeapVisitor
{
    private const string Assembly = "System.Threading.Tasks.Dataflow.dll";
    private const string Source = DataflowCalls.Blocks + "Internal.SourceCore<";
    private const int Most = 10_000;

    private readonly List<ulong> _sources = [];
    private readonly Dictionary<ulong, string> _fields = [];
    private readonly Dictionary<ulong, ClrInstanceField[]> _holding = [];

    private readonly bool _isLoaded =
        runtime.EnumerateModules().Any(module => module.Name?.EndsWith(Assembly, StringComparison.OrdinalIgnoreCase) == true);

    public bool Wants(ClrType type)
    {
        if (!_isLoaded || type.Name is not { } name || type.IsArray || !type.ContainsPointers)
        {
            return false;
        }

        if (name.StartsWith(DataflowCalls.Blocks, StringComparison.Ordinal))
        {
            return name.StartsWith(Source, StringComparison.Ordinal) && !name.Contains('+', StringComparison.Ordinal);
        }

        ClrInstanceField[] fields = Frameworks.IsOwn(name) ? [] : [.. type.Fields.Where(HoldsBlock)];
        if (fields.Length > 0)
        {
            _holding[type.MethodTable] = fields;
        }

        return fields.Length > 0;
    }

    public void Visit(HeapObject found)
    {
        if (_holding.TryGetValue(found.Type.MethodTable, out ClrInstanceField[]? fields))
        {
            foreach (ClrInstanceField field in fields.Where(_ => _fields.Count < Most))
            {
                _fields.TryAdd(found.ReadPointer(field.Offset), NameOf(found.Type, field));
            }
        }
        else if (_sources.Count < Most)
        {
            _sources.Add(found.Address);
        }
    }

    /// <summary>To be called when the walk has ended.</summary>
    public IReadOnlyList<StuckBlockFacts> Read(ClrHeap heap)
        => [.. _sources.Select(address => StuckBlocks.Of(heap.GetObject(address), _fields)).OfType<StuckBlockFacts>()];

    private static bool HoldsBlock(ClrInstanceField field)
        => field.IsObjectReference && field.Type?.Name?.StartsWith(DataflowCalls.Blocks, StringComparison.Ordinal) == true;

    private static string NameOf(ClrType type, ClrInstanceField field)
        => FieldNames.IsOfClosure(type) ? FieldNames.Plain(field.Name) ?? string.Empty : FieldNames.Of(type, field);
}
