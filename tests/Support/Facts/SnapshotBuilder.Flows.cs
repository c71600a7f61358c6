using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Suspended async methods.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<FlowGroup> _flows = [];

    private Known<FlowsFacts> FlowsFacts => Known.Derived(new FlowsFacts
    {
        Groups = _flows,
        Suspended = _flows.Sum(group => group.Count),
        Omitted = 0,
        Unreachable = 0,
        Unreadable = 0,
    });

    /// <param name="sample">The address of one of them.</param>
    /// <param name="method">The method.</param>
    /// <param name="count">How many.</param>
    /// <param name="waits">What they wait for.</param>
    /// <param name="awaitedBy">The methods that await it, the next one first.</param>
    public SnapshotBuilder Flow(ulong sample, string method, int count, FlowWait waits, params IReadOnlyList<string> awaitedBy)
    {
        _flows.Add(new FlowGroup
        {
            Method = method,
            Await = 0,
            Count = count,
            State = FlowState.Suspended,
            Waits = waits,
            AwaitedBy = awaitedBy,
            Root = FlowRoot.Unknown,
            Sample = new Address(sample),
        });
        return this;
    }
}
