using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What an awaited object stands for.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Address">The object that matters: the semaphore behind its node, the channel behind its operation; 0 for none.</param>
/// <param name="Type">Its type.</param>
internal sealed record Awaited(FlowWaitKind Kind, ulong Address, string? Type)
{
    public static Awaited Nothing { get; } = new(FlowWaitKind.Queued, 0, null);

    /// <summary>The async method that is awaited; null for another thing.</summary>
    public string? Method { get; init; }

    /// <summary>The first async method of the base library between the flow and this; null where there is none.</summary>
    public string? Via { get; init; }

    /// <summary>Which end of a queue it is.</summary>
    public FlowQueueEnd? End { get; init; }

    /// <summary>The promise with the timer that ends the wait; 0 where none does.</summary>
    public ulong Timed { get; init; }

    /// <summary>The node of its registration with a cancellation token's source, which ends it; 0 where none does.</summary>
    public ulong Token { get; init; }

    public bool HasToken => Token != 0;

    /// <summary>It has completed: who awaits it is queued to continue.</summary>
    public bool IsCompleted { get; init; }

    /// <summary>What tells one group's awaited thing from another's: of locks and queues the object, of the others what they are.</summary>
    public object Identity
        => Kind is FlowWaitKind.Semaphore or FlowWaitKind.Channel or FlowWaitKind.Pipe ? (Kind, Address, End, Timed != 0, HasToken)
            : (Kind, Method ?? Type, Via, Timed != 0, HasToken);
}
