using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>How full a channel or a pipe is.</summary>
internal static class FlowQueues
{
    public static FlowQueue OfChannel(ClrObject channel, FlowQueueEnd end)
    {
        ClrObject items = channel.Reference("_items");
        return new FlowQueue(
            end,
            items.Number("_size"),
            channel.Number("_bufferedCapacity"),
            channel.Has("_doneWriting") ? !channel.Reference("_doneWriting").IsNull : null);
    }

    public static FlowQueue OfPipe(ClrObject pipe, FlowQueueEnd end)
    {
        ClrObject options = pipe.Reference("_options");
        return new FlowQueue(end, Long(pipe, "_unconsumedBytes"), Long(options, "<PauseWriterThreshold>k__BackingField"), null);
    }

    private static long? Long(ClrObject holder, string name)
        => holder.Type?.GetFieldByName(name) is { ElementType: ClrElementType.Int64 } field ? field.Read<long>(holder.Address, interior: false) : null;
}
