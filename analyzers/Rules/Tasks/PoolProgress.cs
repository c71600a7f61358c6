using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Tasks;

/// <summary>
/// What became of blocked pool workers since an earlier sample: the pool counts the items that each has completed. A worker that has
/// completed none may have done much in the one it has, so it counts as stuck only where it stands at the same place, too.
/// </summary>
internal sealed class PoolProgress
{
    private readonly ThreadHistory[] _stayed;
    private readonly ThreadHistory[] _finished;
    private readonly int _blocked;
    private readonly ThreadHistory[] _known;

    public PoolProgress(RuleContext context, IReadOnlyCollection<ThreadAssessment> blocked)
    {
        _known =
        [
            .. blocked.Select(worker => context.Timeline.Of(worker.Thread))
                .OfType<ThreadHistory>()
                .Where(history => history.Completed is not null),
        ];
        _blocked = blocked.Count;
        _finished = [.. _known.Where(history => history.Completed > 0)];
        _stayed = [.. _known.Where(history => !history.HasMovedOn)];
    }

    /// <summary>Half of the workers that were there, or more, have completed what they had then: the queue moves.</summary>
    public bool Moves => _finished.Length > 0 && _finished.Length >= _known.Length * Thresholds.MovingWorkersShare;

    /// <summary>Hardly a worker that was there has completed an item, or moved within it; most of those that are blocked were.</summary>
    public bool StandsStill
        => _stayed.Length > 0 && _stayed.Length >= _known.Length * Thresholds.StandingWorkersShare
            && _stayed.Length >= _blocked * Thresholds.TaskWaitersShare;

    /// <summary>Most of the workers that were there are in the same item, at the same place.</summary>
    public bool MostlyStands => _stayed.Length >= Math.Max(1, _blocked * Thresholds.TaskWaitersShare) && !Moves;

    /// <summary>As "24 of the 24 workers have completed 380 work items in the 3 s since"; null where no sample before tells.</summary>
    public Evidence? Describe()
    {
        if (_known.Length == 0)
        {
            return null;
        }

        Claim claim = _finished.Length == 0
            ? (Claim)$"none of the {_known.Length} workers that had an item then has completed it {EarlierText.Since(_known[0])}"
            : $"{_finished.Length} of the {_known.Length} workers that had an item have completed {Items} {
                EarlierText.Since(_finished[0])}";
        return new Evidence(claim, "counts of the thread pool in an earlier capture", Trust.Derived);
    }

    private string Items => Count.Of((int)Math.Min(int.MaxValue, _finished.Sum(history => (long)history.Completed!.Value)), "work item");
}
