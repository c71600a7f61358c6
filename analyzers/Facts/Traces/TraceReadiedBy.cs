namespace HangTriage.Facts;

/// <summary>Who made a thread ready.</summary>
/// <param name="Thread">The thread that ran on the processor.</param>
/// <param name="Pid">Its process.</param>
/// <param name="ProcessName">The process's image name.</param>
/// <param name="IsDeferred">It was a deferred call of the kernel (timer, device), which the thread did not make itself.</param>
/// <param name="Stack">Where it was, outermost frame last.</param>
public sealed record TraceReadiedBy(ThreadId Thread, Known<uint> Pid, Known<string> ProcessName, bool IsDeferred, Known<IReadOnlyList<string>> Stack)
{
    /// <summary>What its stack means; null where no tag fits it.</summary>
    public string? Tag { get; init; }
}
