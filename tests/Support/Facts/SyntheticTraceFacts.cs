using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>Facts of a trace, made in code.</summary>
public static class SyntheticTraceFacts
{
    public static DateTimeOffset Start { get; } = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    public static TraceFacts Of(TimeSpan length, uint pid, params IReadOnlyList<TraceThread> threads) => new()
    {
        Kind = TraceKind.Etl,
        Start = Known.Read(Start),
        Length = length,
        Processors = Known.Read(2),
        LostEvents = Known.Read(0L),
        LostBuffers = Known.Read(0L),
        Events = [new TraceEventCount("Thread/CSwitch", 1_000, IsDecoded: true)],
        Stacks = new TraceStackCounts(0, 0, 0, 0),
        Switches = Known.Read(1_000L),
        Processes = [Process(pid)],
        Threads = threads,
        Readiers = [],
        Contentions = [],
        HandleWaits = [],
        Runtimes = [],
        Gaps = [],
    };

    public static TraceProcess Process(uint pid) => new()
    {
        Pid = pid,
        Name = Known.Unknown<string>("process name", "not made"),
        Started = Known.Unknown<TimeSpan>("start of the process", "it ran before the trace began"),
        Ended = Known.Unknown<TimeSpan>("end of the process", "it still ran when the trace ended"),
        Cpu = Known.Derived(TimeSpan.FromSeconds(1)),
        Samples = 0,
        Threads = 1,
        Reads = TraceIo.None,
        Writes = TraceIo.None,
        Registry = [],
        Files = [],
        Frozen = TimeSpan.Zero,
    };

    /// <summary>A thread of which the trace tells what it did around the capture.</summary>
    public static TraceThread Around(uint tid, uint pid, TimeSpan window, TraceAround around)
        => Thread(tid, pid, window, new TraceTimes(around.Running, TimeSpan.Zero, window - around.Running, around.Switches)) with { Around = Known.Derived(around) };

    /// <summary>A thread that waits for the whole window, but for a time for which it is ready.</summary>
    public static TraceThread Ready(uint tid, uint pid, TimeSpan window, TraceReady ready)
        => Thread(tid, pid, window, new TraceTimes(TimeSpan.Zero, ready.Length, window - ready.Length, 2)) with
        {
            WaitReasons = [new TraceWaitReason("UserRequest", 2, window - ready.Length, IsReady: false)],
            Priority = ready.Priority,
            Rank = ready.Rank,
            LongestReady = ready,
        };

    /// <summary>A thread of the whole window of which no more is known than its times.</summary>
    public static TraceThread Thread(uint tid, uint pid, TimeSpan window, TraceTimes times) => new()
    {
        OsId = new ThreadId(tid),
        Pid = Known.Read(pid),
        Name = Known.Unknown<string>("thread name", "not made"),
        From = TimeSpan.Zero,
        To = window,
        IsStartSeen = false,
        IsEndSeen = false,
        Times = Known.Derived(times),
        WaitReasons = [],
        Priority = Known.Unknown<int>("priority", "not made"),
        Rank = Known.Unknown<int>("rank", "not made"),
        LongestWait = null,
        LongestReady = null,
        Timeline = [],
        Moment = Known.Unknown<TraceMoment>("state of the thread", "not made"),
        Around = Known.Unknown<TraceAround>("what the thread did around the capture", "not made"),
        Samples = 0,
        Functions = [],
        Tags = [],
        Reads = TraceIo.None,
        Writes = TraceIo.None,
        Registry = [],
    };
}
