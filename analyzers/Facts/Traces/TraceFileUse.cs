namespace HangTriage.Facts;

/// <summary>What was read of a file, and written to it.</summary>
/// <param name="Name">Its path, as the kernel names it.</param>
/// <param name="Reads">Calls that read it.</param>
/// <param name="Writes">Calls that wrote it.</param>
public sealed record TraceFileUse(Known<string> Name, TraceIo Reads, TraceIo Writes);
