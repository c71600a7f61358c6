using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>What still moves in the process.</content>
public sealed partial class SnapshotBuilder
{
    private List<MoverFacts>? _movers;

    /// <summary>It was looked for what moves, and nothing was found.</summary>
    public SnapshotBuilder NothingMoves()
    {
        _movers ??= [];
        return this;
    }

    /// <summary>This moves, and can do more than look, or not.</summary>
    public SnapshotBuilder Moves(string name, bool acts, MoverKind kind = MoverKind.Timer)
    {
        (_movers ??= []).Add(new MoverFacts { Kind = kind, Name = name, Acts = acts });
        return this;
    }

    /// <summary>A timer leads to what the async methods wait for that have this sample, and so does this code.</summary>
    public SnapshotBuilder FlowReachedBy(ulong sample, params IReadOnlyList<ReachMover> movers)
    {
        _flowReach[new Address(sample)] = new WaitReach { By = FlowRoot.Timer, Movers = movers, Holders = [] };
        return this;
    }

    /// <summary>What the async methods wait for that have this sample is in the hands of others, who wait themselves.</summary>
    public SnapshotBuilder FlowInHandsOf(ulong sample, ReachHolder bearer)
    {
        _flowReach[new Address(sample)] = new WaitReach { By = FlowRoot.Static, Bearer = bearer, Holders = [] };
        return this;
    }

    /// <summary>What the async methods wait for that have this sample only a method brings that they are in.</summary>
    public SnapshotBuilder FlowGivenByItself(ulong sample, OwnGiver own)
    {
        _flowReach[new Address(sample)] = new WaitReach { By = FlowRoot.Timer, OwnGiver = own, Holders = [] };
        return this;
    }

    /// <summary>What the async methods wait for that have this sample only a method brings that has failed.</summary>
    public SnapshotBuilder FlowGivenByFailed(ulong sample, FailedGiver failed)
    {
        _flowReach[new Address(sample)] = new WaitReach { By = FlowRoot.Timer, FailedGiver = failed, Holders = [] };
        return this;
    }

    /// <summary>The same of what the thread waits for.</summary>
    public SnapshotBuilder GivenByFailed(uint thread, FailedGiver failed)
        => Reached(new ThreadId(thread), new WaitReach { By = FlowRoot.Timer, FailedGiver = failed, Holders = [] });

    /// <summary>What the thread waits for only a method brings that it is in.</summary>
    public SnapshotBuilder GivenByItself(uint thread, OwnGiver own)
        => Reached(new ThreadId(thread), new WaitReach { By = FlowRoot.Timer, OwnGiver = own, Holders = [] });

    private Known<IReadOnlyList<MoverFacts>>? BuildMovers() => _movers is null ? null : Known.Derived<IReadOnlyList<MoverFacts>>(_movers);
}
