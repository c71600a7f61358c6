using HangTriage.Facts;
using HangTriage.Traces.Etl;
using HangTriage.Traces.Summary;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>Reads a whole .etl file into facts.</summary>
internal static class EtlTrace
{
    /// <exception cref="TraceOpenException">The file is no trace, or cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static TraceFacts Read(EtlSource source, TraceContext context)
    {
        EtlReader reader = EtlReader.Open(source, context);
        TraceBuilder builder = new(context.Limits);
        if (context.Moment is { } moment && reader.Clock.Start is { } start)
        {
            builder.AskFor(moment - start);
        }

        EtlDecoder decoder = new(builder, reader.Clock);
        reader.ReadAll(decoder.Read);
        context.Progress?.Report("summing up the trace");
        builder.Finish();
        return new TraceSummary(builder, context.Tags)
        {
            Kind = TraceKind.Etl,
            Start = StartOf(reader.Clock.Start, builder.First),
            Processors = reader.Log.Processors is > 0 and <= int.MaxValue ? Known.Read((int)reader.Log.Processors) : Known.Unknown<int>("processors", "the trace's header does not say how many"),
            LostEvents = Known.Read<long>(reader.Log.EventsLost),
            LostBuffers = Known.Read<long>(reader.Log.BuffersLost),
            Gaps = [.. reader.Gaps, .. decoder.Gaps],
        }.Facts();
    }

    private static Known<DateTimeOffset> StartOf(DateTimeOffset? start, TimeSpan first)
    {
        bool isSane = start is { } moment && moment.Ticks + first.Ticks > 0 && moment.Ticks + first.Ticks < DateTimeOffset.MaxValue.Ticks;
        return isSane ? Known.Derived(start!.Value + first) : Known.Unknown<DateTimeOffset>("start of the trace", "the trace's header does not say it");
    }
}
