namespace HangTriage.Capture.Windows.Live;

/// <summary>How far the suspension of one thread has come, in the order in which it happens.</summary>
internal enum StopState
{
    None,

    /// <summary>It is about to be suspended, or just was.</summary>
    Suspending,

    /// <summary>This tool has suspended it once.</summary>
    Suspended,

    /// <summary>It is about to be resumed, or just was.</summary>
    Resuming,

    /// <summary>It has been resumed.</summary>
    Resumed,
}
