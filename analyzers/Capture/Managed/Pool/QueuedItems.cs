using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>Says what waits in the pool's queues.</summary>
internal static class QueuedItems
{
    private const int MostKinds = 64;

    /// <summary>Null where that cannot be read.</summary>
    public static IReadOnlyList<PoolItems>? Read(ClrRuntime runtime, CaptureContext context)
        => Attempt.Read("items of the thread pool", () => Known.Read(Of(runtime, context))).TryGet(out IReadOnlyList<PoolItems>? items)
            ? items
            : null;

    private static IReadOnlyList<PoolItems> Of(ClrRuntime runtime, CaptureContext context)
        =>
        [
            .. QueuedObjects.Items(runtime, context)
                .Where(item => item.Type?.Name is not null)
                .GroupBy(item => (Type: context.Limits.Cut(item.Type!.Name!), Method: context.Limits.Cut(MethodOf(item))))
                .Select(group => new PoolItems(group.Key.Type, group.Key.Method, group.Count()))
                .OrderByDescending(items => items.Count)
                .ThenBy(items => items.Type, StringComparer.Ordinal)
                .ThenBy(items => items.Method, StringComparer.Ordinal)
                .Take(MostKinds),
        ];

    // A task, the rest of an async method, or the delegate of an item of QueueUserWorkItem.
    private static string? MethodOf(ClrObject item)
        => TaskObject.IsAwaitable(item) ? TaskObject.Method(item)
            : ManagedStack.MethodName(DelegateMethod.Of(item.Reference("_callback")));
}
