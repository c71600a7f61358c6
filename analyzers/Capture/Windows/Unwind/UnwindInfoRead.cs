namespace HangTriage.Capture.Windows.Unwind;

internal enum UnwindInfoRead
{
    Done,

    /// <summary>Not in the target's memory.</summary>
    Missing,

    /// <summary>Of a version that is not known.</summary>
    UnknownVersion,
}
