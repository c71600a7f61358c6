using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>What was captured, where and when.</summary>
public sealed record TargetFacts
{
    public required TargetKind Kind { get; init; }

    public required TargetOs Os { get; init; }

    public required TargetArchitecture Architecture { get; init; }

    /// <summary>The build of the operating system, such as 14393.</summary>
    public required Known<uint> OsBuild { get; init; }

    public required Known<uint> Pid { get; init; }

    /// <summary>The file name of the main program; never its folder, which can name a user.</summary>
    public required Known<string> ProcessName { get; init; }

    public required Known<uint> ProcessorCount { get; init; }

    /// <summary>When the process started.</summary>
    public required Known<DateTimeOffset> StartedAt { get; init; }

    /// <summary>Null where the target is not Linux, and in facts of earlier versions.</summary>
    public Known<ProcessIdentity>? Identity { get; init; }

    /// <summary>The instant that all other facts speak of. Assumed where it is the time of the file.</summary>
    public required Known<DateTimeOffset> CapturedAt { get; init; }

    /// <summary>The crash that the input was written for; null where it does not say that there was one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public CrashFacts? Crash { get; init; }

    /// <summary>How long the process was stopped to be looked at; null where it is not a live process.</summary>
    public Known<TimeSpan>? StoodStill { get; init; }

    /// <summary>Every .NET runtime among the modules; empty where the module list was read and has none.</summary>
    public required Known<IReadOnlyList<RuntimeFacts>> Runtimes { get; init; }
}
