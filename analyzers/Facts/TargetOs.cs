namespace HangTriage.Facts;

public enum TargetOs
{
    Windows,
    Linux,

    /// <summary>A trace of .NET is written alike on every system.</summary>
    Unknown,
}
