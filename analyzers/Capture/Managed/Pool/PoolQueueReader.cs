using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>Counts what waits in the pool's queues, as the queues count it themselves.</summary>
internal sealed class PoolQueueReader(StaticObjects statics, CaptureContext context)
{
    public const string Type = "System.Threading.ThreadPool";
    public const string Field = "s_workQueue";

    private const string What = "queues of the thread pool";
    private const int SegmentLimit = 1_000_000;

    private Gap? _gap;

    public Known<PoolQueues> Read()
    {
        ClrObject queue = statics.Find(Type, Field);
        if (queue.IsNull)
        {
            return Known.Unknown<PoolQueues>(What, "ThreadPool has no queue of a known name");
        }

        uint common = InConcurrentQueue(Child(queue, "workItems")) + InArray(Child(queue, "_assignableWorkItemQueues", isOptional: true), InConcurrentQueue);
        uint high = InConcurrentQueue(Child(queue, "highPriorityWorkItems", isOptional: true));
        uint low = InConcurrentQueue(Child(queue, "lowPriorityWorkItems", isOptional: true));
        uint local = InArray(
            statics.Find("System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList", "s_queues", "_queues"), InWorkStealingQueue);
        return _gap is null ? Known.Derived(new PoolQueues(common, high, low, local)) : Known<PoolQueues>.Unknown(_gap);
    }

    private ClrObject Child(ClrObject holder, string name, bool isOptional = false)
    {
        if (holder.Type?.GetFieldByName(name) is not null)
        {
            return holder.ReadObjectField(name);
        }

        _gap ??= isOptional ? null : new Gap(What, $"{holder.Type?.Name ?? "the queue"} has no field {name}");
        return default;
    }

    private uint InArray(ClrObject array, Func<ClrObject, uint> count)
    {
        uint sum = 0;
        if (array is { IsNull: false, IsArray: true })
        {
            ClrArray items = array.AsArray();
            for (int index = 0; index < Math.Min(items.Length, context.Limits.Threads); index++)
            {
                sum += count(items.GetObjectValue(index));
            }
        }

        return sum;
    }

    private uint InConcurrentQueue(ClrObject queue)
    {
        uint sum = 0;
        ClrObject segment = queue.IsNull ? default : Child(queue, "_head");
        for (int number = 0; !segment.IsNull; number++)
        {
            if (number == SegmentLimit)
            {
                _gap ??= new Gap(What, $"a queue has more than {SegmentLimit} segments");
                return 0;
            }

            if (number % 1_024 == 0)
            {
                context.Step();
            }

            sum += InSegment(segment);
            segment = Child(segment, "_nextSegment");
        }

        return sum;
    }

    // Head and Tail count forever and are masked; a segment that is full adds twice its length to Tail, so that nothing is added.
    private uint InSegment(ClrObject segment)
    {
        if (Fields.Read<int>(segment, "_slotsMask").TryGet(out int mask) && mask > 0
            && Fields.Read<int>(segment, "_headAndTail", "Head").TryGet(out int head)
            && Fields.Read<int>(segment, "_headAndTail", "Tail").TryGet(out int tail))
        {
            uint length = (uint)mask + 1;
            uint used = unchecked((uint)(tail - head));
            uint filled = used > length ? used - (2 * length) : used;
            return filled <= length ? filled : 0;
        }

        _gap ??= new Gap(What, "a segment of a queue is not in the input, or has other fields");
        return 0;
    }

    private uint InWorkStealingQueue(ClrObject queue)
        => queue.IsNull ? 0
            : Fields.Read<int>(queue, "m_headIndex").TryGet(out int head) && Fields.Read<int>(queue, "m_tailIndex").TryGet(out int tail)
                ? (uint)Math.Max(0, unchecked(tail - head))
                : 0;
}
