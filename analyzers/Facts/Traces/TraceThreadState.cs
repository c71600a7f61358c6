namespace HangTriage.Facts;

/// <summary>What the scheduler does with a thread.</summary>
public enum TraceThreadState
{
    /// <summary>It waits, or was never seen to run.</summary>
    Waiting,

    /// <summary>It could run and does not.</summary>
    Ready,

    /// <summary>It is on a processor.</summary>
    Running,

    /// <summary>It has ended.</summary>
    Ended,
}
