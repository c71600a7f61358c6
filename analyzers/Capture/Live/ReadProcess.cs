namespace HangTriage.Capture.Live;

/// <summary>Reads memory of a process that runs.</summary>
/// <returns>Bytes read; fewer than asked for where the rest cannot be read.</returns>
internal delegate int ReadProcess(ulong address, Span<byte> buffer);
