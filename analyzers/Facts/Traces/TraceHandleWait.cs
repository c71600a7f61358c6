namespace HangTriage.Facts;

/// <summary>Waits of a thread of .NET that are not for a monitor: events, semaphores, the end of threads. Runtimes from .NET 9 tell of them.</summary>
/// <param name="Pid">The process.</param>
/// <param name="Waiter">The thread that waited.</param>
/// <param name="Call">What it called: "Monitor.Wait", "WaitHandle" for every other.</param>
/// <param name="Count">How often.</param>
/// <param name="Longest">The longest of those that ended; a gap where none did.</param>
public sealed record TraceHandleWait(uint Pid, ThreadId Waiter, string Call, long Count, Known<TimeSpan> Longest);
