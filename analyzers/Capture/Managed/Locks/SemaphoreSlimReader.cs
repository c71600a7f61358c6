using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Reads a SemaphoreSlim: m_currentCount entries are left of m_maxCount; m_waitCount threads wait, and from m_asyncHead on
/// those who wait by await, each a task.
/// </summary>
internal static class SemaphoreSlimReader
{
    public const string NodeType = "System.Threading.SemaphoreSlim+TaskNode";

    public static LockFacts Read(ClrObject semaphore, CaptureContext context)
    {
        Known<uint> left = Number(semaphore, "m_currentCount");
        Known<uint> async = AsyncWaiters(semaphore, context);
        return new LockFacts
        {
            Id = new LockId(LockKind.SemaphoreSlim, new Address(semaphore.Address)),
            Name = Known.Read(semaphore.Type!.Name!),
            IsHeld = left.Select(count => count == 0),
            Owner = Known.Unknown<ThreadId>("owner", "a semaphore has none: any thread can release it"),
            Recursion = Known.Unknown<uint>("recursion", "a semaphore has none"),
            WaiterCount = Number(semaphore, "m_waitCount").Select(count => count + (async.TryGet(out uint more) ? more : 0)),
            Entries = left.TryGet(out uint free) && Number(semaphore, "m_maxCount").TryGet(out uint most)
                ? Known.Read(new SemaphoreEntries(free, most))
                : Known.Unknown<SemaphoreEntries>("entries", "the semaphore's counts have other names, or are not in the input"),
        };
    }

    /// <summary>The node is one of those who wait for the semaphore by await.</summary>
    public static bool HasNode(ClrObject semaphore, ClrObject node, CaptureContext context)
        => Nodes(semaphore, context).Any(found => found.Address == node.Address);

    private static Known<uint> AsyncWaiters(ClrObject semaphore, CaptureContext context)
        => semaphore.Type!.GetFieldByName("m_asyncHead") is null
            ? Known.Unknown<uint>("asynchronous waiters", "the semaphore has no list of them of a known name")
            : Known.Read((uint)Nodes(semaphore, context).Count());

    private static IEnumerable<ClrObject> Nodes(ClrObject semaphore, CaptureContext context)
    {
        ClrObject node = semaphore.Type!.GetFieldByName("m_asyncHead") is null ? default : semaphore.ReadObjectField("m_asyncHead");
        for (int number = 0; !node.IsNull && number < context.Limits.WaitersPerLock && node.Type?.GetFieldByName("Next") is not null; number++)
        {
            yield return node;
            node = node.ReadObjectField("Next");
        }
    }

    private static Known<uint> Number(ClrObject semaphore, string name)
        => semaphore.Type!.GetFieldByName(name) is { Size: 4 } && semaphore.ReadField<int>(name) is >= 0 and int value
            ? Known.Read((uint)value)
            : Known.Unknown<uint>(name, "the semaphore has no such field, or it makes no sense");
}
