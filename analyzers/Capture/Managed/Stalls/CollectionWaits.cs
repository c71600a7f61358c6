using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Finds the objects whose collection threads wait for in loops, and what keeps them.</summary>
internal sealed class CollectionWaits(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, Lazy<RuntimeRoots> roots, CaptureContext context)
{
    private const int MostWaits = 4;

    /// <param name="polls">The loops in which threads wait.</param>
    public IReadOnlyList<CollectionWaitFacts> Find(IReadOnlyList<PollFacts> polls)
    {
        HashSet<uint> waiting = [.. polls.Where(poll => poll.Thread is not null && poll.EndsByCollection()).Select(poll => poll.Thread!.Value.Value)];
        return waiting.Count == 0 ? [] : [.. threads.Where(thread => waiting.Contains(thread.OSThreadId)).SelectMany(Of).Take(MostWaits)];
    }

    private IEnumerable<CollectionWaitFacts> Of(ClrThread thread)
    {
        // A core with the heap alone has not all that types lead to.
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        foreach (ulong target in TargetsOf(thread))
        {
            ClrObject found = runtime.Heap.GetObject(target);
            LoadContext? unloading = LoadContext.Of(found, runtime, context);
            yield return new CollectionWaitFacts
            {
                Thread = new ThreadId(thread.OSThreadId),
                Awaited = new Address(target),
                Type = found.Type?.Name is { Length: > 0 } name ? name[..Math.Min(name.Length, context.Limits.NameLength)] : "object",
                IsUnload = unloading is not null,
                Keeper = Attempt.Read("what keeps the object", () => new KeeperSearch(runtime, roots.Value, context).Of(target, unloading)),
            };
        }
    }

    // The weak reference is a variable of the method, or a field of the object that it is of.
    private static ulong[] TargetsOf(ClrThread thread)
    {
        ClrObject[] held = [.. StackRoots.Of(thread).Select(root => root.Object).Where(root => root is { IsNull: false, Type: not null }).DistinctBy(root => root.Address)];
        return
        [
            .. held.Concat(held.SelectMany(Fields)).Where(WeakTarget.IsWeak).Select(WeakTarget.Of).Where(target => target != 0).Distinct(),
        ];
    }

    private static IEnumerable<ClrObject> Fields(ClrObject holder)
        => holder.Type!.Fields.Where(field => field.IsObjectReference).Select(field => field.ReadObject(holder.Address, interior: false)).Where(held => !held.IsNull);
}
