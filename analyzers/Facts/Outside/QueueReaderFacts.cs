namespace HangTriage.Facts;

/// <summary>A thread or an async method that takes items from a bounded queue, and is busy with one: it waits for something else.</summary>
public sealed record QueueReaderFacts
{
    /// <summary>The channel; for a BlockingCollection the semaphore that those who add wait for.</summary>
    public required Address Queue { get; init; }

    /// <summary>Null for an async method.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>For an async method: the object of its state machine, as <see cref="FlowGroup.Sample"/>.</summary>
    public Address? Flow { get; init; }

    /// <summary>The method that takes the items.</summary>
    public required string Method { get; init; }
}
