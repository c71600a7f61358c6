namespace HangTriage.Traces.Etl;

/// <summary>Gets the events of a trace in the order of time: runs of events of one buffer.</summary>
/// <param name="buffer">The buffer of the events.</param>
/// <param name="run">Valid while the handler runs.</param>
internal delegate void EtlRunHandler(EtlBuffer buffer, ReadOnlySpan<EtlRecord> run);
