namespace HangTriage.Facts;

public enum TaskState
{
    Created,

    /// <summary>Waits for its promise, its awaited task or a thread.</summary>
    WaitingForActivation,

    /// <summary>Queued, and not begun.</summary>
    WaitingToRun,

    /// <summary>Its delegate has been invoked.</summary>
    Running,

    RanToCompletion,

    Faulted,

    Canceled,
}
