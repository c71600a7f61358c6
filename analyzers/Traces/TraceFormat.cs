namespace HangTriage.Traces;

/// <summary>The kinds of trace files.</summary>
public enum TraceFormat
{
    /// <summary>Event Tracing for Windows (.etl).</summary>
    Etl,

    /// <summary>.NET EventPipe (.nettrace).</summary>
    Nettrace,
}
