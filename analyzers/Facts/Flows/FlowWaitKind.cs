namespace HangTriage.Facts;

/// <summary>What kind of thing a suspended async method waits for.</summary>
public enum FlowWaitKind
{
    /// <summary>A task that none of the others describes: a TaskCompletionSource, Task.Run.</summary>
    Task,

    /// <summary>Another async method, which is suspended or runs.</summary>
    AsyncMethod,

    /// <summary>SemaphoreSlim.WaitAsync.</summary>
    Semaphore,

    /// <summary>A System.Threading.Channels.Channel: an item, or room for one.</summary>
    Channel,

    /// <summary>A System.IO.Pipelines.Pipe: data, or room for it.</summary>
    Pipe,

    /// <summary>Task.Delay.</summary>
    Delay,

    /// <summary>Task.Delay without end and without a token: nothing ends it.</summary>
    InfiniteDelay,

    /// <summary>A PeriodicTimer.</summary>
    Timer,

    /// <summary>Nothing but a cancellation token ends it: Task.Delay without end and with a token.</summary>
    CancellationOnly,

    /// <summary>Task.WhenAny.</summary>
    WhenAny,

    /// <summary>Task.WhenAll.</summary>
    WhenAll,

    /// <summary>An operation of the system: a socket, a file, a pipe of the system.</summary>
    InputOutput,

    /// <summary>Nothing any more: it is queued to continue, as after Task.Yield.</summary>
    Queued,

    /// <summary>An awaitable of a type that is not known.</summary>
    Custom,

    /// <summary>What it waits for could not be read.</summary>
    Unknown,
}
