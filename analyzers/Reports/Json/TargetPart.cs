namespace HangTriage.Reports.Json;

internal sealed record TargetPart
{
    public required string Kind { get; init; }

    /// <summary>Null where a trace alone does not tell it.</summary>
    public string? Os { get; init; }

    public uint? OsBuild { get; init; }

    /// <summary>Null where a trace alone was judged.</summary>
    public string? Arch { get; init; }

    public uint? Processors { get; init; }

    public uint? Pid { get; init; }

    public string? Process { get; init; }

    public DateTimeOffset? StartedAt { get; init; }

    public CrashPart? Crash { get; init; }

    public DateTimeOffset? CapturedAt { get; init; }

    /// <summary>Assumed where it is the time of the file; null where the time is not known.</summary>
    public string? CapturedAtTrust { get; init; }

    /// <summary>Milliseconds for which a live process was stopped; null for any other target.</summary>
    public double? StoodStill { get; init; }

    public IReadOnlyList<RuntimePart>? Runtimes { get; init; }
}

internal sealed record RuntimePart(string Flavor, string? Version);

internal sealed record CrashPart(string Code, string? Name, string? Thread, string? Exception, string? Origin);
