namespace HangTriage.Facts;

/// <summary>What a suspended async method is at.</summary>
public enum FlowState
{
    /// <summary>What it waits for has not completed.</summary>
    Suspended,

    /// <summary>What it waited for has completed: it is queued with the thread pool, a scheduler or a context, or about to be.</summary>
    QueuedToResume,
}
