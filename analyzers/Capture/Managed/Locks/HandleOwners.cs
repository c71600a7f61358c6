using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds whether a handle that is waited for is an event's, a semaphore's or a mutex's, where the thread's stack has nothing but the
/// handle: optimised code holds the object no longer than until its handle is read.
/// </summary>
internal sealed class HandleOwners : IHeapVisitor
{
    private readonly Known<IReadOnlyList<WaitFacts>> _waits;
    private readonly Dictionary<ulong, LockKind> _kinds = [];
    private readonly HashSet<ulong> _open;

    public HandleOwners(Known<IReadOnlyList<WaitFacts>> waits)
    {
        _waits = waits;
        _open = [.. (waits.TryGet(out IReadOnlyList<WaitFacts>? all) ? all : []).Where(IsOpen).Select(wait => wait.Handle!.Value.Value)];
    }

    /// <summary>There is a handle whose object is not known.</summary>
    public bool IsNeeded => _open.Count > 0;

    public bool Wants(ClrType type) => IsNeeded && KindOf(type) is not null && type.GetFieldByName(HandleWaits.HandleField) is not null;

    public void Visit(HeapObject found)
    {
        ulong handle = found.ReadPointer(found.Type.GetFieldByName(HandleWaits.HandleField)!.Offset);
        if (_open.Contains(handle))
        {
            _kinds.TryAdd(handle, KindOf(found.Type)!.Value);
        }
    }

    /// <summary>The waits, with what has been found. To be called after the walk.</summary>
    public Known<IReadOnlyList<WaitFacts>> Waits()
        => IsNeeded ? _waits.Select<IReadOnlyList<WaitFacts>>(all => [.. all.Select(WithKind)]) : _waits;

    /// <summary>The mutexes among these waits, which the locks do not have yet.</summary>
    public Known<IReadOnlyList<LockFacts>> With(Known<IReadOnlyList<LockFacts>> locks)
        => _kinds.ContainsValue(LockKind.Mutex) && Waits().TryGet(out IReadOnlyList<WaitFacts>? waits)
            ? locks.Select<IReadOnlyList<LockFacts>>(known
                => [.. known, .. MutexesOf(waits).Except(known.Select(@lock => @lock.Id)).Select(HandleWaits.MutexFacts)])
            : locks;

    /// <summary>Null for an object that is none of these.</summary>
    public static LockKind? KindOf(ClrType? type) => type is null ? null
        : StackObjects.Is(type, "System.Threading.Mutex") ? LockKind.Mutex
        : StackObjects.Is(type, "System.Threading.Semaphore") ? LockKind.Semaphore
        : StackObjects.Is(type, "System.Threading.EventWaitHandle") ? LockKind.Event
        : null;

    private static IEnumerable<LockId> MutexesOf(IEnumerable<WaitFacts> waits)
        => waits.Select(wait => wait.Lock).Where(id => id.Kind == LockKind.Mutex);

    private static bool IsOpen(WaitFacts wait) => wait is { Lock.Kind: LockKind.KernelObject, Handle: not null };

    private WaitFacts WithKind(WaitFacts wait)
        => IsOpen(wait) && _kinds.TryGetValue(wait.Handle!.Value.Value, out LockKind kind)
            ? wait with { Lock = new LockId(kind, wait.Lock.Address), Kind = HandleWaits.WaitFor(kind) }
            : wait;
}
