namespace HangTriage.Facts;

public enum FrameKind
{
    /// <summary>Code of a native image.</summary>
    Native,

    /// <summary>A managed method.</summary>
    Managed,

    /// <summary>A marker that the .NET runtime pushes; it has a name and no code.</summary>
    Runtime,

    /// <summary>Code outside every module.</summary>
    Unknown,
}
