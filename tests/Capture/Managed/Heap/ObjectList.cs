using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

/// <summary>Keeps every object that a walk shows.</summary>
internal sealed class ObjectList(Func<ClrType, bool> wants) : IHeapVisitor
{
    public List<(ulong Address, ClrType Type, ulong Size, byte[] Fields)> Objects { get; } = [];

    public bool Wants(ClrType type) => wants(type);

    public void Visit(HeapObject found) => Objects.Add((found.Address, found.Type, found.Size, found.Fields.ToArray()));
}
