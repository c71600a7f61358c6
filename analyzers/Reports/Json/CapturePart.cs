namespace HangTriage.Reports.Json;

/// <summary>One of several captures of a process that were compared; nothing in it depends on where its file lies.</summary>
internal sealed record CapturePart
{
    public required string Kind { get; init; }

    public uint? Pid { get; init; }

    public string? Process { get; init; }

    public DateTimeOffset? StartedAt { get; init; }

    public DateTimeOffset? CapturedAt { get; init; }

    /// <summary>Assumed where it is the time of the file; null where the time is not known.</summary>
    public string? CapturedAtTrust { get; init; }

    /// <summary>Milliseconds for which a live process was stopped; null for any other target.</summary>
    public double? StoodStill { get; init; }

    /// <summary>What joins it to the target; null for the target itself.</summary>
    public string? JoinedBy { get; init; }

    /// <summary>Milliseconds from it to the target; null for the target itself, and where that is not known.</summary>
    public double? Before { get; init; }

    /// <summary>How many threads it has; null where they could not be read.</summary>
    public int? Threads { get; init; }

    /// <summary>Of all threads together; null where that of one is not known.</summary>
    public CpuPart? Cpu { get; init; }
}
