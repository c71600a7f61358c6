namespace HangTriage.Facts;

/// <summary>Who has taken a lock of the program's own making.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Method">The method that gives it back at its end.</param>
public sealed record PollHolder(ThreadId Thread, string Method);
