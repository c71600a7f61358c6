using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Which channel each waiting operation is of: an operation does not know its channel, the channel lists its operations, in
/// queues (Deque) and in rings linked by Next.
/// </summary>
internal sealed class ChannelOperations(CaptureContext context) : IHeapVisitor
{
    private const string Prefix = "System.Threading.Channels.";

    private readonly List<(ulong Channel, ClrType Type)> _channels = [];
    private readonly Dictionary<ulong, (ulong Channel, FlowQueueEnd End)> _owners = [];

    public bool Wants(ClrType type)
        => type.Name?.StartsWith(Prefix, StringComparison.Ordinal) == true && type.GetFieldByName("_doneWriting") is not null && Lists(type).Any();

    public void Visit(HeapObject found)
    {
        if (_channels.Count < context.Limits.Flows)
        {
            _channels.Add((found.Address, found.Type));
        }
    }

    /// <summary>To be called when the walk has ended.</summary>
    public void Follow(TargetWords words)
    {
        foreach ((ulong channel, ClrType type) in _channels)
        {
            context.Step();
            foreach (ClrInstanceField list in Lists(type))
            {
                FlowQueueEnd end = list.Name!.Contains("Writ", StringComparison.Ordinal) ? FlowQueueEnd.Writer : FlowQueueEnd.Reader;
                foreach (ulong operation in Operations(words, words.Reference(channel, list.Offset)))
                {
                    _owners.TryAdd(operation, (channel, end));
                }
            }
        }
    }

    /// <summary>The channel, and the end of it that the operation waits at; null for an operation that no channel has.</summary>
    public (ulong Channel, FlowQueueEnd End)? Of(ulong operation) => _owners.TryGetValue(operation, out (ulong, FlowQueueEnd) owner) ? owner : null;

    // _blockedReaders, _waitingWritersTail; with Head at the end since .NET 10.
    private static IEnumerable<ClrInstanceField> Lists(ClrType type)
        => type.Fields.Where(field => field.IsObjectReference
            && (field.Name?.StartsWith("_blocked", StringComparison.Ordinal) == true || field.Name?.StartsWith("_waiting", StringComparison.Ordinal) == true));

    private IEnumerable<ulong> Operations(TargetWords words, ulong list)
    {
        if (words.TypeOf(list) is not { } type)
        {
            yield break;
        }

        if (type.GetFieldByName("_array") is { } elements)
        {
            ulong array = words.Reference(list, elements.Offset);
            foreach (ClrObject operation in array == 0 ? [] : Tasks.ObjectFields.Elements(words.Heap.GetObject(array), context.Limits.Flows))
            {
                yield return operation.Address;
            }

            yield break;
        }

        int next = FieldOffsets.Reference(type, "<Next>k__BackingField", "Next");
        ulong current = list;
        for (int count = 0; current != 0 && count < context.Limits.Flows; count++)
        {
            yield return current;
            current = words.Reference(current, next);
            current = current == list ? 0 : current;
        }
    }
}
