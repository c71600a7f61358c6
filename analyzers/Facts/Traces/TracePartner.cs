namespace HangTriage.Facts;

/// <summary>Who made a thread ready again and again.</summary>
/// <param name="Thread">The thread that ran on the processor; a gap where none did, as with a timer or a device on an idle processor.</param>
/// <param name="Pid">Its process.</param>
/// <param name="ProcessName">The process's image name.</param>
/// <param name="IsDeferred">It was a deferred call of the kernel (timer, device), which the thread did not make itself.</param>
/// <param name="Count">How often.</param>
/// <param name="First">The first time, from the window's start.</param>
/// <param name="Last">The last time.</param>
/// <param name="LongestBetween">The longest time from one to the next.</param>
public sealed record TracePartner(
    Known<ThreadId> Thread, Known<uint> Pid, Known<string> ProcessName, bool IsDeferred, long Count, TimeSpan First, TimeSpan Last,
        TimeSpan LongestBetween);
