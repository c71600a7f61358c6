namespace HangTriage.Facts;

/// <summary>
/// What threads wait for, and queued work items of the pool that end such a wait: their objects or static fields lead to it, and the code
/// that they run calls what ends it and waits for no signal itself.
/// </summary>
/// <param name="Lock">What is waited for.</param>
/// <param name="Method">The method that the items run or continue.</param>
/// <param name="Count">How many such items are queued.</param>
public sealed record QueuedEnd(LockId Lock, string Method, int Count);
