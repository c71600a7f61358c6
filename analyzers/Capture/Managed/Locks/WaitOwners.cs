using HangTriage.Capture.Managed.Heap;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>What the heap says of things that are waited for and of which the stacks say less.</summary>
internal sealed class WaitOwners(LocksAndWaits read)
{
    private readonly HandleOwners _handles = new(read.Waits);
    private readonly CountdownOwners _countdowns = new(read.Locks);

    /// <summary>What has to walk over the heap.</summary>
    public IReadOnlyList<IHeapVisitor> Visitors => [_handles, _countdowns];

    /// <summary>The same with what was found. To be called after the walk.</summary>
    public LocksAndWaits Named()
        => _countdowns.Named(read with { Locks = _handles.With(read.Locks), Waits = _handles.Waits() });
}
