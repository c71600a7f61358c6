using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Promises that a callback of a cancellation token keeps, as <c>stopping.Register(() =&gt; stopped.TrySetResult())</c>: who awaits one
/// waits until he is told to end. A callback that only calls a question off is none: it sets no result, or others do, too.
/// </summary>
internal sealed class TokenCallbacks(ReachGraph graph, ClrHeap heap, Func<ProgramUsers?> users)
{
    private const int MostObjects = 64;
    private const int MostPromises = 8;

    /// <summary>The same wait, which a token ends where callbacks keep all that is awaited.</summary>
    public FlowWait With(FlowWait wait, FlowGrouping group)
        => wait is { Kind: FlowWaitKind.Task, EndsByToken: false, Reach.By: not null }
            && group.AwaitedObjects.Count <= MostPromises
            && group.AwaitedObjects.All(IsKeptByCallback)
                ? wait with { EndsByToken = true }
                : wait;

    private bool IsKeptByCallback(ulong promise)
        => graph.Find(promise) is { } start
            && graph.LeadingTo(start).Select(TypeOf).FirstOrDefault(type => SignalFamilies.Of(type) == SignalFamilies.Promise) is { } source
            && IsKeptByCallback(start, ConstructedType.Of(source, isVariant: false));

    private string TypeOf(int node) => heap.GetObject(graph.AddressOf(node)).Type?.Name ?? string.Empty;

    private bool IsKeptByCallback(int start, ConstructedType source)
        => graph.Behind([start], MostObjects, node => CallbackAt(node) is null).Take(MostObjects - 1).Select(CallbackAt).OfType<ClrMethod>()
            .Any(callback => users()?.Whole?.AloneSetsResult(callback, source) == true);

    private ClrMethod? CallbackAt(int node) => TokenRegistrations.MethodOf(heap.GetObject(graph.AddressOf(node)));
}
