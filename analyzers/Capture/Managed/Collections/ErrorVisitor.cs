using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Counts the exceptions on the heap that say that a collection was used by several threads at once.</summary>
internal sealed class ErrorVisitor(ClrRuntime runtime) : IHeapVisitor
{
    private const int Limit = 100_000;

    private readonly List<ulong> _candidates = [];

    public int Count => _candidates.Count(IsError);

    public bool Wants(ClrType type) => type.Name == "System.InvalidOperationException";

    public void Visit(HeapObject found)
    {
        if (_candidates.Count < Limit)
        {
            _candidates.Add(found.Address);
        }
    }

    private bool IsError(ulong address)
    {
        try
        {
            return runtime.Heap.GetObject(address).AsException() is { } error && ConcurrentUse.IsError(error);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return false;
        }
    }
}
