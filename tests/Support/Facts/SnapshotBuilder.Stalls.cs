using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>What the runtime itself makes threads wait for.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<CollectionWaitFacts> _collections = [];
    private FinalizerFacts? _finalizer;

    /// <summary>The thread that runs finalizers.</summary>
    public SnapshotBuilder Finalizer(uint thread, uint queued)
    {
        _finalizer = new FinalizerFacts { Thread = new ThreadId(thread), Queued = Known.Derived(queued) };
        return this;
    }

    /// <summary>A thread that looks again and again whether an object is collected.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="type">The object's type.</param>
    /// <param name="isUnload">It is a load context that was told to unload.</param>
    /// <param name="keeper">What keeps it; null where nothing was found.</param>
    public SnapshotBuilder AwaitsCollection(uint thread, string type, bool isUnload, KeeperFacts? keeper)
    {
        Polls(PollOf("Shop.Host.AwaitUnload", "none", []) with { Thread = new ThreadId(thread), Fields = [], Calls = ["System.WeakReference.get_IsAlive"], Bringers = null });
        _collections.Add(new CollectionWaitFacts
        {
            Thread = new ThreadId(thread),
            Awaited = new Address(0xc011),
            Type = type,
            IsUnload = isUnload,
            Keeper = keeper is null ? Known.Unknown<KeeperFacts>("what keeps the object", "nothing was found that leads to it: the next collection may take it") : Known.Derived(keeper),
        });
        return this;
    }
}
