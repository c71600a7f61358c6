namespace HangTriage.Facts;

/// <summary>What recorded a trace.</summary>
public enum TraceKind
{
    /// <summary>Event Tracing for Windows (.etl).</summary>
    Etl,

    /// <summary>Linux perf: the text of <c>perf script</c>.</summary>
    Perf,

    /// <summary>EventPipe of .NET (.nettrace).</summary>
    Nettrace,
}
