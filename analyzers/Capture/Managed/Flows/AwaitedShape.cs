namespace HangTriage.Capture.Managed.Flows;

/// <summary>How an awaited object is read, by its type.</summary>
internal enum AwaitedShape
{
    /// <summary>An awaitable of no known type.</summary>
    Custom,

    /// <summary>A task of no more special kind.</summary>
    Task,

    /// <summary>Task.Run of an async method, which does not know its task: that tells it.</summary>
    Unwrap,

    /// <summary>The box of an async method.</summary>
    Box,

    /// <summary>The state machine of an async iterator.</summary>
    Iterator,

    /// <summary>An asynchronous entry of a SemaphoreSlim.</summary>
    SemaphoreNode,

    Delay,

    /// <summary>Stands for another awaitable that it refers to: Task.WaitAsync, ValueTask.AsTask.</summary>
    Wrapper,

    WhenAll,

    WhenAny,

    /// <summary>A read or write of a channel that waits.</summary>
    ChannelOperation,

    /// <summary>The reader or the writer of a Pipe.</summary>
    PipeEnd,

    PeriodicTimer,

    InputOutput,
}
