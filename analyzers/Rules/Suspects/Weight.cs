namespace HangTriage.Rules.Suspects;

/// <summary>Why a wait of unknown end matters, the heaviest reason last. A wait without a reason is shown, and decides nothing by itself.</summary>
public enum Weight
{
    /// <summary>A thread of its own, as those that wait for work are.</summary>
    None,

    /// <summary>An async method waits for a promise without a timeout, and is not what keeps Main from ending: an answer that got lost looks so.</summary>
    AsyncTask,

    /// <summary>Async methods wait for an entry of a semaphore or for room in a queue, and nobody is seen who will give it.</summary>
    AsyncLock,

    /// <summary>A pool worker waits in the middle of a work item, which is meant to end.</summary>
    InWorkItem,

    /// <summary>Another thread waits for its end.</summary>
    Joined,

    /// <summary>The thread holds a lock meanwhile.</summary>
    HoldsLock,

    /// <summary>It is the program's main thread.</summary>
    MainThread,

    /// <summary>It is a thread of the user interface.</summary>
    UiThread,

    /// <summary>Others wait behind it.</summary>
    OthersWait,
}
