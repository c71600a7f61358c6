using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Blocks;

/// <summary>Tells which blocks of Dataflow have offered their next item to all targets in vain.</summary>
/// <remarks>
/// dotnet/runtime, System.Threading.Tasks.Dataflow (8.0 to 10.0): SourceCore.cs (a block offers again when an item is taken or a link
/// comes; until then _enableOffering is false), TargetRegistry.cs (a list of links), TargetCore.cs and BoundingState (a target that is
/// full keeps who has offered something, and asks for it later), DataflowBlock.cs (FilteredLinkPropagator, of a link with a condition).
/// </remarks>
internal static class StuckBlocks
{
    private const int MostLinks = 1_024;
    private const int MostWrappers = 8;
    private const int MostBehind = 64;
    private const int MostPromises = 1_024;
    private const string Propagator = "LinkPropagator";
    private const string Sent = "System.Threading.Tasks.Dataflow.DataflowBlock+SendAsyncSource<";

    // SegmentState: a pad of a cache line less a number, _first, _lastCopy, such a pad, _firstCopy, _last. The runtime's own description
    // of this struct has other offsets (tried on .NET 10).
    private const int Pad = 128 - sizeof(int);
    private const int FirstAt = Pad;
    private const int LastAt = (2 * Pad) + (3 * sizeof(int));

    /// <summary>Null for one that has no item to give, is at giving one, or has a target that will ask for it.</summary>
    /// <param name="source">The part of a block that gives items out.</param>
    /// <param name="fields">The fields and variables that hold blocks.</param>
    public static StuckBlockFacts? Of(ClrObject source, IReadOnlyDictionary<ulong, string> fields)
    {
        ClrObject block = source.Reference("_owningSource");
        if (block.IsNull || source.IsTrue("_enableOffering")
            || !source.Reference("_taskForOutputProcessing").IsNull || !source.Reference("_nextMessageReservedFor").IsNull
            || !HasItem(source.Reference("_messages")) || Targets(source.Reference("_targetRegistry")) is not { } targets
            || targets.Any(WillAsk))
        {
            return null;
        }

        return new StuckBlockFacts
        {
            Address = new Address(block.Address),
            Type = block.Type?.Name ?? string.Empty,
            Field = fields.GetValueOrDefault(block.Address),
            Links = targets.Count,
            Waiting = [.. PromisesBehind(block)],
        };
    }

    /// <summary>
    /// The object keeps an item for which a block has no room yet, and the promise of who has sent it. Its finalizer breaks that only where
    /// nobody waits for it any more.
    /// </summary>
    public static bool IsSent(ClrObject found) => found.Type?.Name?.StartsWith(Sent, StringComparison.Ordinal) == true;

    // What was sent is the promise's source; other sources are blocks in front, with such of their own.
    private static IEnumerable<Address> PromisesBehind(ClrObject stuck)
    {
        HashSet<ulong> seen = [stuck.Address];
        Queue<ClrObject> open = new([stuck]);
        int found = 0;
        while (open.TryDequeue(out ClrObject block) && seen.Count < MostBehind)
        {
            foreach (ClrObject source in PutOffBy(block))
            {
                if (IsSent(source))
                {
                    if (source.Reference("_task") is { IsNull: false } promise && found++ < MostPromises)
                    {
                        yield return new Address(promise.Address);
                    }
                }
                else if (OwnerOf(source) is { IsNull: false } front && seen.Add(front.Address))
                {
                    open.Enqueue(front);
                }
            }
        }
    }

    // Who has offered an item that the block, which was full, would ask for when there is room.
    private static IEnumerable<ClrObject> PutOffBy(ClrObject block)
        => PutOffTables(block).SelectMany(ObjectFields.ReferencesOf)
            .Where(entries => entries.IsArray)
            .SelectMany(entries => entries.EnumerateReferences().Take(MostPromises));

    private static ClrObject OwnerOf(ClrObject source)
    {
        ClrObject inner = Behind(source, "_source");
        return inner.Reference("_owningSource") is { IsNull: false } owner ? owner : inner;
    }

    // What a link with a condition, or for a number of items, stands for.
    private static ClrObject Behind(ClrObject link, string field)
    {
        for (int hop = 0; hop < MostWrappers && link.Type?.Name?.Contains(Propagator, StringComparison.Ordinal) == true; hop++)
        {
            link = link.Reference(field);
        }

        return link;
    }

    // SingleProducerSingleConsumerQueue: segments, the first of which is read from _first to _last.
    private static bool HasItem(ClrObject queue)
        => queue.Reference("_head") is { IsNull: false } head
            && (head.Address != queue.Reference("_tail").Address
                || (head.Type?.GetFieldByName("_state") is { Size: >= LastAt + sizeof(int) } state
                    && NumberAt(head, state, FirstAt) is { } first && NumberAt(head, state, LastAt) is { } last && first != last));

    private static int? NumberAt(ClrObject segment, ClrInstanceField state, int offset)
        => segment.Type!.Heap.Runtime.DataTarget.DataReader.Read(state.GetAddress(segment.Address) + (ulong)offset, out int number)
            ? number : null;

    private static List<ClrObject>? Targets(ClrObject registry)
    {
        List<ClrObject> targets = [];
        for (ClrObject link = registry.Reference("_firstTarget"); !link.IsNull; link = link.Reference("Next"))
        {
            if (targets.Count == MostLinks)
            {
                return null;
            }

            targets.Add(link.Reference("Target"));
        }

        return targets;
    }

    // It is full, and has noted whose item it has put off.
    private static bool WillAsk(ClrObject target) => PutOffTables(Behind(target, "_target")).Any(table => !IsEmpty(table));

    private static IEnumerable<ClrObject> PutOffTables(ClrObject block)
        => DataflowCalls.Parts.Select(part => block.Reference(part)).Where(part => !part.IsNull).Prepend(block)
            .Select(part => part.Reference("_boundingState")).Where(state => !state.IsNull)
            .Select(state => state.Reference("PostponedMessages").Reference("_mapKeyToIndex"));

    private static bool IsEmpty(ClrObject table) => table.Number("_count") is { } used && used == table.Number("_freeCount");
}
