namespace HangTriage.Capture.Managed.Sources;

/// <summary>Where the sources of a module lay when it was built.</summary>
internal enum SourceRoot
{
    Unknown,

    /// <summary>"/_/": a build that is to be the same on every machine, as of packages, has put that in place of the folder.</summary>
    Mapped,

    /// <summary>A path of Unix.</summary>
    Unix,

    /// <summary>A path of Windows.</summary>
    Windows,
}
