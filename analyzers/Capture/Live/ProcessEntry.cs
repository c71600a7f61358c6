using HangTriage.Facts;

namespace HangTriage.Capture.Live;

/// <summary>A process in the list of those that run.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">The file name of its program; for the .NET host the name of the assembly that it runs.</param>
/// <param name="ShortName">The first 15 characters of the kernel's name for it.</param>
public sealed record ProcessEntry(int Id, string Name, string ShortName)
{
    /// <summary>Its parent's id.</summary>
    public required int Parent { get; init; }

    public required DateTimeOffset? StartedAt { get; init; }

    /// <summary>Used by all its threads, on Linux by ended ones among them.</summary>
    public required CpuTime Cpu { get; init; }

    /// <summary>Bytes that it has read and written, with any call and of any file; null where this user may not know.</summary>
    public required long? Transferred { get; init; }

    /// <summary>It has the runtime of .NET loaded; null where this user may not know.</summary>
    public required bool? IsDotNet { get; init; }

    /// <summary>State and processor time of each thread.</summary>
    public required IReadOnlyDictionary<int, ThreadEntry> Threads { get; init; }
}
