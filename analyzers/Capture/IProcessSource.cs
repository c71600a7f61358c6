using HangTriage.Facts;

namespace HangTriage.Capture;

/// <summary>
/// What every source of a process has to say, of either system: a dump, a debugger's session, a live process. The readers
/// ask it, and never what kind of source it is. Nothing here throws.
/// </summary>
public interface IProcessSource
{
    /// <summary>For the report alone.</summary>
    TargetKind Kind { get; }

    /// <summary>The build of the operating system, such as 22631.</summary>
    Known<uint> OsBuild { get; }

    Known<uint> Pid { get; }

    Known<uint> ProcessorCount { get; }

    Known<DateTimeOffset> StartedAt { get; }

    Known<DateTimeOffset> CapturedAt { get; }

    /// <summary>How it is said of a thing that this source does not have it.</summary>
    Absence Absence { get; }

    /// <summary>The way to the process's .NET runtime.</summary>
    IRuntimeDoor Runtime { get; }

    /// <summary>How long the process was stopped to be looked at; null where it is not a live process.</summary>
    Known<TimeSpan>? StoodStill => null;

    /// <summary>The crash that the source was written for; null where it does not say that there was one.</summary>
    CrashFacts? Crash => null;
}
