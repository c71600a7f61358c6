namespace HangTriage.Facts;

/// <summary>Waits for .NET locks that one thread held against another.</summary>
/// <param name="Pid">The process.</param>
/// <param name="Waiter">The thread that waits.</param>
/// <param name="Owner">The thread that holds the lock.</param>
/// <param name="Lock">The lock; a gap in runtimes before .NET 8.</param>
/// <param name="Count">How often.</param>
/// <param name="Longest">The longest wait; a gap where none ended.</param>
public sealed record TraceContention(uint Pid, ThreadId Waiter, Known<ThreadId> Owner, Known<Address> Lock, long Count, Known<TimeSpan> Longest);
