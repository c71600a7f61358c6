using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What ends the await of an async method: an entry of a semaphore, an operation of a queue.</summary>
internal sealed class AwaitEnds(ClrRuntime runtime, FlowInventory flows)
{
    /// <summary>
    /// The semaphore of an entry, which does not know it, and the other end of an operation's channel or pipe; null for anything else.
    /// Entries are ended by releases of the semaphore alone.
    /// </summary>
    public (ulong Object, bool IsAlone)? OwnerOf(ulong address)
        => flows.Resolver.Of(address) switch
        {
            { Kind: FlowWaitKind.Semaphore } entry when entry.Address != address => (entry.Address, true),
            { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } operation when operation.Address != address => (OtherEnd(operation), false),
            _ => null,
        };

    /// <summary>For who reads the writing end, and the reverse; the queue itself where its ends are no objects.</summary>
    public ulong OtherEnd(Awaited queue)
    {
        ClrObject found = runtime.Heap.GetObject(queue.Address);
        ClrObject end = queue.End == FlowQueueEnd.Reader ? found.Reference("<Writer>k__BackingField", "_writer") : found.Reference("<Reader>k__BackingField", "_reader");
        return end.IsNull ? queue.Address : end.Address;
    }

    /// <summary>
    /// What ends the wait of the suspended async method, or of the one that it awaits; null for other objects, and where nothing is known to.
    /// </summary>
    public FlowRoot? EndOf(ulong address) => LastAwaitedBy(address) is { } awaited ? RootOf(flows.Resolver.Of(awaited)) : null;

    /// <summary>
    /// What the suspended async method waits for, or the innermost of those that it awaits; null for other objects.
    /// </summary>
    public ulong? LastAwaitedBy(ulong address) => flows.Boxes.FindInnermost(address)?.Awaited;

    /// <summary>It is no suspended async method, or one whose wait is neither for the target nor for anything outside the process.</summary>
    public bool MayContinue(ulong address, ulong target)
        => flows.Boxes.Find(address) is not { State: >= 0 }
            || (LastAwaitedBy(address) is { } awaited && awaited != target
                && flows.Resolver.Of(awaited) is var end && end.Address != target
                && RootOf(end) is null or FlowRoot.Timer or FlowRoot.PoolQueue);

    /// <summary>What ends an await by itself; null where another has to.</summary>
    public static FlowRoot? RootOf(Awaited awaited) => awaited switch
    {
        { IsCompleted: true } or { Kind: FlowWaitKind.Queued } => FlowRoot.PoolQueue,
        { Timed: not 0 } => FlowRoot.Timer,
        { Kind: FlowWaitKind.InputOutput } => FlowRoot.InputOutput,
        { Kind: FlowWaitKind.Unknown } => FlowRoot.Unknown,
        _ => null,
    };
}
