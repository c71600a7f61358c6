namespace HangTriage.Traces.Etl;

/// <summary>A buffer in the file.</summary>
/// <param name="Offset">In the file, in bytes.</param>
/// <param name="First">Time of its first event, in the session's clock.</param>
/// <param name="Header">Its header.</param>
/// <param name="Available">Bytes of it that the file has; fewer than its size where the file is cut off.</param>
internal readonly record struct EtlPlace(long Offset, long First, EtlBufferHeader Header, int Available);
