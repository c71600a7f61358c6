namespace HangTriage.Facts;

/// <summary>What a task stands for, by the type that the framework gave it.</summary>
public enum TaskKind
{
    /// <summary>None of the others.</summary>
    Other,

    /// <summary>Runs a delegate: Task.Run, Task.Factory.StartNew, ContinueWith.</summary>
    Delegate,

    /// <summary>The rest of an async method.</summary>
    AsyncMethod,

    /// <summary>A promise that somebody has to fulfil: TaskCompletionSource.</summary>
    Promise,

    /// <summary>Task.Run of an async delegate: completed when the inner task is.</summary>
    Unwrap,

    WhenAll,

    /// <summary>WhenAny, or the promise that WaitAny waits for.</summary>
    WhenAny,

    Delay,

    /// <summary>An asynchronous entry of a SemaphoreSlim: whoever releases it, not an owner, completes it.</summary>
    Semaphore,
}
