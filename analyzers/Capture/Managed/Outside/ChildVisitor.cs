using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Gathers the System.Diagnostics.Process objects of the heap.</summary>
internal sealed class ChildVisitor : IHeapVisitor
{
    private const int Most = 256;

    private readonly List<ulong> _found = [];

    public bool Wants(ClrType type) => type.Name == ChildReader.Type;

    public void Visit(HeapObject found)
    {
        if (_found.Count < Most)
        {
            _found.Add(found.Address);
        }
    }

    /// <summary>The children that have been started and are not known to have ended; at most some.</summary>
    public IReadOnlyList<ChildFacts> Read(ClrHeap heap) => [.. _found.Select(address => ChildReader.Of(heap.GetObject(address))).OfType<ChildFacts>()];
}
