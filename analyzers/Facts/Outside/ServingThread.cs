namespace HangTriage.Facts;

/// <summary>A thread whose program's code has a connection that the process has accepted.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="AcceptedAt">Where, as "127.0.0.1:5000"; the port is 0 where the system chose it.</param>
public sealed record ServingThread(ThreadId Thread, string AcceptedAt);
