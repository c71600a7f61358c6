namespace HangTriage.Capture.Linux;

/// <summary>Reads a piece of one segment.</summary>
/// <typeparam name="T">What it is read from.</typeparam>
/// <param name="source">What it is read from.</param>
/// <param name="segment">The segment that has the whole piece.</param>
/// <param name="offset">Bytes from the segment's start.</param>
/// <param name="buffer">Takes the piece.</param>
/// <returns>Bytes read.</returns>
internal delegate int SegmentRead<in T>(T source, ElfSegment segment, ulong offset, Span<byte> buffer);
