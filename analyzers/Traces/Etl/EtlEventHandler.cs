namespace HangTriage.Traces.Etl;

/// <summary>Gets each event of a trace in the order of time.</summary>
internal delegate void EtlEventHandler(in EtlEvent traceEvent);
