using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>What a walk needs to know of a type, looked up once.</summary>
/// <param name="Type">The type.</param>
/// <param name="StaticSize">Bytes of an object without its elements.</param>
/// <param name="ComponentSize">Bytes of an element; 0 for a type without.</param>
/// <param name="Visitors">Who wants its objects.</param>
internal sealed record HeapType(ClrType Type, uint StaticSize, uint ComponentSize, IHeapVisitor[] Visitors);
