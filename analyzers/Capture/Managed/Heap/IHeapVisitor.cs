using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>A reader that takes part in a walk over the heap. Several share one walk: it reads the heap once.</summary>
internal interface IHeapVisitor
{
    /// <summary>Asked once a type, before the first of its objects.</summary>
    bool Wants(ClrType type);

    /// <summary>
    /// Called for every object of the types that are wanted, in the order of the heap. Whoever needs more than the object's
    /// own content keeps the address and reads after the walk: a read elsewhere costs more than the walk's step.
    /// </summary>
    void Visit(HeapObject found);
}
