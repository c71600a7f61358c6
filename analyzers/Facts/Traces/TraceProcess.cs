namespace HangTriage.Facts;

/// <summary>A process in a trace.</summary>
public sealed record TraceProcess
{
    public required uint Pid { get; init; }

    /// <summary>The image's file name.</summary>
    public required Known<string> Name { get; init; }

    /// <summary>When it began, from the window's start; a gap where it ran before.</summary>
    public required Known<TimeSpan> Started { get; init; }

    /// <summary>When it ended, from the window's start; a gap where it still ran.</summary>
    public required Known<TimeSpan> Ended { get; init; }

    /// <summary>The time that its threads ran, summed; a gap without context switches.</summary>
    public required Known<TimeSpan> Cpu { get; init; }

    /// <summary>Processor samples in its threads.</summary>
    public required long Samples { get; init; }

    public required int Threads { get; init; }

    public required TraceIo Reads { get; init; }

    public required TraceIo Writes { get; init; }

    /// <summary>Calls of the registry, by kind.</summary>
    public required IReadOnlyList<TraceCalls> Registry { get; init; }

    /// <summary>The files that it reads and writes most often.</summary>
    public required IReadOnlyList<TraceFileUse> Files { get; init; }

    /// <summary>How long it was frozen by the system.</summary>
    public required TimeSpan Frozen { get; init; }
}
