using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>What the runtime itself makes threads wait for.</content>
public sealed partial class SnapshotBuilder
{
    private FinalizerFacts? _finalizer;

    /// <summary>The thread that runs finalizers.</summary>
    public SnapshotBuilder Finalizer(uint thread, uint queued)
    {
        _finalizer = new FinalizerFacts { Thread = new ThreadId(thread), Queued = Known.Derived(queued) };
        return this;
    }
}
