using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds the CountdownEvent whose inner event a thread waits for, where the stack has that one alone: optimised code has the
/// CountdownEvent's own Wait in its caller, and holds nothing but what it sleeps on.
/// </summary>
internal sealed class CountdownOwners : IHeapVisitor
{
    private readonly HashSet<ulong> _open;
    private readonly Dictionary<ulong, ulong> _owners = [];

    public CountdownOwners(Known<IReadOnlyList<LockFacts>> locks)
        => _open = [.. (locks.TryGet(out IReadOnlyList<LockFacts>? all) ? all : []).Where(IsEvent).Select(@lock => @lock.Id.Address.Value)];

    /// <summary>There is an event that can be the inner one.</summary>
    public bool IsNeeded => _open.Count > 0;

    public bool Wants(ClrType type) => IsNeeded && type.Name == DotNetTypes.CountdownEvent && Inner(type) is not null;

    public void Visit(HeapObject found)
    {
        ulong inner = found.ReadPointer(Inner(found.Type)!.Offset);
        if (_open.Contains(inner))
        {
            _owners.TryAdd(inner, found.Address);
        }
    }

    /// <summary>What is waited for, with the owners that the walk has found.</summary>
    public LocksAndWaits Named(LocksAndWaits read)
        => _owners.Count == 0 ? read : read with
        {
            Locks = read.Locks.Select<IReadOnlyList<LockFacts>>(all => [.. all.Select(Named).DistinctBy(@lock => @lock.Id)]),
            Waits = read.Waits.Select<IReadOnlyList<WaitFacts>>(all => [.. all.Select(wait => wait with { Lock = Owner(wait.Lock) })]),
        };

    private LockFacts Named(LockFacts @lock)
        => Owner(@lock.Id) is var id && id != @lock.Id ? @lock with { Id = id, Name = Known.Read(DotNetTypes.CountdownEvent) } : @lock;

    private LockId Owner(LockId id)
        => id.Kind == LockKind.ManagedEvent && _owners.TryGetValue(id.Address.Value, out ulong owner)
            ? id with { Address = new Address(owner) }
            : id;

    private static bool IsEvent(LockFacts @lock)
        => @lock.Id.Kind == LockKind.ManagedEvent && @lock.Name is { HasValue: true, Value: DotNetTypes.ManualResetEventSlim };

    // .NET's and .NET Framework's.
    private static ClrInstanceField? Inner(ClrType type) => type.GetFieldByName("_event") ?? type.GetFieldByName("m_event");
}
