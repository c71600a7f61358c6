namespace HangTriage.Facts;

/// <summary>
/// Who comes to a call that ends a wait, on every way that it can take, and leads to what is waited for; or who so ends the wait of the
/// one that does.
/// </summary>
public sealed record ReachSignaller
{
    /// <summary>A thread that works or sleeps, a timer, or an item in the queue of the pool.</summary>
    public required FlowRoot Kind { get; init; }

    /// <summary>For <see cref="FlowRoot.Thread"/>: the thread.</summary>
    public ThreadId? Thread { get; init; }
}
