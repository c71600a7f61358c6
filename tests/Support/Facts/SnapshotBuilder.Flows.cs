using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Suspended async methods.</content>
public sealed partial class SnapshotBuilder
{
    private readonly List<FlowGroup> _flows = [];
    private readonly List<string> _abandoned = [];
    private readonly List<EndedServiceFacts> _endedServices = [];
    private Known<FlowsFacts>? _knownFlows;
    private bool? _handlesSignals;

    /// <summary>Suspended async methods of one kind; the box of the first is at 0x7f1000000000, the others follow.</summary>
    public SnapshotBuilder Flow(string method, FlowWait waits, int count = 1, params string[] awaitedBy)
        => Flow(new FlowGroup
        {
            Method = method,
            Await = 0,
            Source = new SourceLine("App/Program.cs", (uint)(10 + _flows.Count)),
            Count = count,
            State = waits.Kind == FlowWaitKind.Queued ? FlowState.QueuedToResume : FlowState.Suspended,
            Waits = waits,
            AwaitedBy = awaitedBy,
            Root = FlowRoot.Static,
            Sample = new Address(0x7f1000000000 + ((ulong)_flows.Count << 12)),
        });

    /// <summary>One async method that is known to be in no loop.</summary>
    public static FlowGroup Once(string method, FlowWait waits, string caller, ulong box) => new()
    {
        Method = method,
        Await = 0,
        Source = new SourceLine("Shop/Desk.cs", 10),
        Root = FlowRoot.Static,
        Count = 1,
        State = FlowState.Suspended,
        Waits = waits,
        IsInLoop = false,
        AwaitedBy = [caller],
        Sample = new Address(box),
    };

    public SnapshotBuilder Flow(FlowGroup group)
    {
        _hasManaged = true;
        _flows.Add(group);
        return this;
    }

    /// <summary>A background service of a host has ended, with this exception or without one.</summary>
    public SnapshotBuilder EndedService(string method, string? exception = null)
    {
        _endedServices.Add(new EndedServiceFacts { Method = method, Exception = exception, HasFailed = exception is not null });
        return this;
    }

    /// <summary>Whether somebody outside can ask the program to end.</summary>
    public SnapshotBuilder HandlesSignals(bool handles)
    {
        _handlesSignals = handles;
        return this;
    }

    /// <summary>An async method was suspended in the middle, and nothing can continue it.</summary>
    public SnapshotBuilder Abandoned(string method)
    {
        _abandoned.Add(method);
        return this;
    }

    /// <summary>They were not looked for, or could not be read.</summary>
    public SnapshotBuilder Flows(Known<FlowsFacts> flows)
    {
        _hasManaged = true;
        _knownFlows = flows;
        return this;
    }

    private Known<FlowsFacts>? BuildFlows()
        => _knownFlows ?? (_flows.Count == 0 ? null : Known.Read(new FlowsFacts
        {
            Groups = [.. _flows.Select(WithReach)],
            Suspended = _flows.Sum(group => group.Count),
            Omitted = 0,
            Unreachable = _abandoned.Count,
            Abandoned = _abandoned.Count == 0 ? null : _abandoned,
            Unreadable = 0,
        }));
}
