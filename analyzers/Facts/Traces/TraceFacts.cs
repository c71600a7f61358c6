namespace HangTriage.Facts;

/// <summary>
/// What a trace says of the machine's threads and processes over its window: who ran, who was ready and did not run, who
/// waited for how long and who ended the wait. Times are steps of 100 ns; moments are counted from the window's start.
/// </summary>
public sealed record TraceFacts
{
    public required TraceKind Kind { get; init; }

    /// <summary>World time of the window's start.</summary>
    public required Known<DateTimeOffset> Start { get; init; }

    /// <summary>From the first event to the last.</summary>
    public required TimeSpan Length { get; init; }

    public required Known<int> Processors { get; init; }

    /// <summary>Events that the recording lost.</summary>
    public required Known<long> LostEvents { get; init; }

    /// <summary>Buffers of events that the recording lost.</summary>
    public required Known<long> LostBuffers { get; init; }

    /// <summary>Every kind of event in the trace, the most frequent first.</summary>
    public required IReadOnlyList<TraceEventCount> Events { get; init; }

    /// <summary>How many stacks there are, and how many of them were joined with their events.</summary>
    public required TraceStackCounts Stacks { get; init; }

    /// <summary>Context switches of all threads; a gap where none were recorded.</summary>
    public required Known<long> Switches { get; init; }

    /// <summary>The processes, those that used most CPU first.</summary>
    public required IReadOnlyList<TraceProcess> Processes { get; init; }

    /// <summary>The threads, those that were ready for longest without running first.</summary>
    public required IReadOnlyList<TraceThread> Threads { get; init; }

    /// <summary>Who ended the waits of a process's threads.</summary>
    public required IReadOnlyList<TraceReadier> Readiers { get; init; }

    /// <summary>Waits for locks of .NET, as the runtime tells of them.</summary>
    public required IReadOnlyList<TraceContention> Contentions { get; init; }

    /// <summary>Waits of .NET that are not for a lock, as the runtime tells of them.</summary>
    public required IReadOnlyList<TraceHandleWait> HandleWaits { get; init; }

    /// <summary>What the .NET runtime says of thread pools and of stops for collections, by process.</summary>
    public required IReadOnlyList<TraceRuntime> Runtimes { get; init; }

    /// <summary>What could not be seen, beyond the gaps that stand in the place of their fact.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }

    /// <summary>One process's share: its threads and what they waited for; what is of the whole machine stays.</summary>
    public TraceFacts Of(uint pid) => this with
    {
        Processes = [.. Processes.Where(process => process.Pid == pid)],
        Threads = [.. Threads.Where(thread => thread.Pid.Is(id => id == pid))],
        Readiers = [.. Readiers.Where(readier => readier.Pid == pid)],
        Contentions = [.. Contentions.Where(contention => contention.Pid == pid)],
        HandleWaits = [.. HandleWaits.Where(wait => wait.Pid == pid)],
        Runtimes = [.. Runtimes.Where(runtime => runtime.Pid == pid)],
    };
}
