using HangTriage.Facts;
using HangTriage.Traces.Summary;
using HangTriage.Traces.Timeline;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace HangTriage.Traces.Nettrace;

/// <summary>Reads a whole .nettrace file into facts, by TraceEvent. No other type of the tool names that library: it is loaded for such a file alone.</summary>
internal static class NettraceTrace
{
    private const int EventsPerCheck = 4096;

    /// <exception cref="TraceOpenException">The file is no trace, or cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static TraceFacts Read(string path, TraceContext context)
    {
        context.Watch?.Begin();
        try
        {
            return ReadWatched(path, context);
        }
        catch (Exception e) when (e is not (TraceOpenException or OperationCanceledException))
        {
            // The library has no exception of its own for what it cannot read.
            throw new TraceOpenException("a .nettrace file that is damaged, or of a version that is not known", e);
        }
        finally
        {
            context.Watch?.End();
        }
    }

    private static TraceFacts ReadWatched(string path, TraceContext context)
    {
        using EventPipeFile file = EventPipeFile.Open(path, context);
        TraceBuilder builder = new(context.Limits);
        DateTimeOffset start = new(file.Log.SessionStartTime.ToUniversalTime());
        if (context.Moment is { } moment)
        {
            builder.AskFor(moment - start);
        }

        NettraceDecoder decoder = new(builder);
        ReadAll(file.Log, decoder, start, context);
        builder.Finish();
        return new TraceSummary(builder, context.Tags)
        {
            Kind = TraceKind.Nettrace,
            Start = Known.Read(start + builder.First),
            Processors = file.Log.NumberOfProcessors > 0 ? Known.Read(file.Log.NumberOfProcessors) : Known.Unknown<int>("processors", "the trace's header does not say how many"),
            LostEvents = Known.Read(file.Lost),
            LostBuffers = Known.Unknown<long>("lost buffers", ".NET counts lost events alone"),
            Gaps = [.. Gaps(file, decoder)],
        }.Facts();
    }

    private static void ReadAll(TraceLog log, NettraceDecoder decoder, DateTimeOffset start, TraceContext context)
    {
        long count = 0;
        foreach (TraceEvent traceEvent in log.Events)
        {
            decoder.Read(traceEvent, new DateTimeOffset(traceEvent.TimeStamp.ToUniversalTime()) - start);
            if (++count % EventsPerCheck == 0)
            {
                context.Cancellation.ThrowIfCancellationRequested();
                context.Progress?.Report($"reading the trace: {count} events");
                context.Watch?.Step();
            }
        }
    }

    private static IEnumerable<Gap> Gaps(EventPipeFile file, NettraceDecoder decoder)
    {
        if (file.IsCutOff)
        {
            yield return new Gap("the rest of the file", "it is damaged, or was cut off: the trace is read up to there") { IsLoss = true };
        }

        if (decoder.Samples > 0)
        {
            yield return new Gap("processor time", "the sampler of .NET looks where each thread is, whether it runs or waits: its samples are of time, not of processor time");
        }

        if (decoder.Short > 0)
        {
            yield return new Gap("short events", $"{decoder.Short} events are shorter than their layout and are left out");
        }
    }
}
