using HangTriage.Facts;

namespace HangTriage.Traces.Files;

/// <summary>Reads the trace of a case.</summary>
public static class TraceOfCase
{
    /// <summary>The case with the trace, joined or refused.</summary>
    /// <param name="case">The case; its capture's time is the moment of which the trace's threads are told.</param>
    /// <param name="path">The trace's file.</param>
    /// <param name="context">How to read it.</param>
    /// <exception cref="TraceOpenException">The file is no trace, or cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static Case Read(Case @case, string path, TraceContext context)
    {
        ArgumentNullException.ThrowIfNull(@case);
        ArgumentNullException.ThrowIfNull(context);
        Known<DateTimeOffset> captured = @case.Last.Target.CapturedAt;
        DateTimeOffset? moment = captured is { HasValue: true, Trust: not Trust.Assumed } ? captured.Value : null;
        return @case.With(Path.GetFileName(path), TraceFile.Read(path, context with { Moment = moment }));
    }
}
