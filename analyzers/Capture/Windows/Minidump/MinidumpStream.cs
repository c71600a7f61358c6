namespace HangTriage.Capture.Windows.Minidump;

/// <summary>A part of the file, as the file states it; it may lie beyond the file's end.</summary>
/// <param name="Offset">From the start of the file, in bytes.</param>
/// <param name="Size">In bytes.</param>
internal readonly record struct MinidumpStream(ulong Offset, ulong Size);
