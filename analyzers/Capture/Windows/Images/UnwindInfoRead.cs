namespace HangTriage.Capture.Windows.Images;

internal enum UnwindInfoRead
{
    Done,

    /// <summary>Not in the target's memory.</summary>
    Missing,

    /// <summary>Of a version that is not known.</summary>
    UnknownVersion,
}
