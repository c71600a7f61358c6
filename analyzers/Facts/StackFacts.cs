namespace HangTriage.Facts;

/// <summary>A thread's stack, innermost frame first.</summary>
/// <param name="Frames">The frames that were found.</param>
/// <param name="Stopped">Why the walk ended before the thread's first function; null where it reached it.</param>
public sealed record StackFacts(IReadOnlyList<FrameFacts> Frames, Gap? Stopped);
