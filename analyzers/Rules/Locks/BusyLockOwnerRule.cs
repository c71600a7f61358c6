using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Locks;

/// <summary>
/// A thread computes while it holds a lock for which several others wait that have hardly run. Threads that take turns
/// on a lock burn CPU each, so they are not this pattern.
/// </summary>
public sealed class BusyLockOwnerRule : IRule
{
    public RuleInfo Info { get; } = new("HT3005", "lock owner computes", "A thread computes while it holds a lock that several others wait for.")
    {
        Patterns = Pattern.OwnerComputes,
        Needs = Need.Threads | Need.AnyLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
            [.. Locks(context).Select(@lock => Describe(context, @lock)).OfType<Observation>()],
            [.. Locks(context).SelectMany(@lock => UnseenBusyOwner.Of(
                context, @lock, (wait, owner) => IsKeptWaiting(context, wait, owner), waits => Fewest(context, @lock, waits))).Distinct()]);
    }

    // What the runtime runs once, such as a static constructor, takes what it takes.
    private static IEnumerable<LockFacts> Locks(RuleContext context) => context.Locks.Where(@lock => !@lock.Id.Kind.IsOfRuntime());

    private Observation? Describe(RuleContext context, LockFacts @lock)
    {
        if (!@lock.Owner.TryGet(out ThreadId ownerId)
            || context.Find(ownerId) is not { State: ThreadActivity.Running } owner
            || !CpuShare.Of(owner.Thread, context.Snapshot.Target).TryGet(out CpuShare? cpu)
            || !cpu.IsBusy(context.ProcessCpu))
        {
            return null;
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(@lock.Id)).Where(edge => IsKeptWaiting(context, edge, cpu))];
        return waits.Length < Fewest(context, @lock, waits) ? null : Describe(context, @lock, owner, cpu, waits);
    }

    private static int Fewest(RuleContext context, LockFacts @lock, WaitEdge[] waits)
        => @lock.Id.Kind.IsOfLoader() || HasOpenWork(context, @lock) || waits.Any(wait => ServesWindows(context, wait)) ? Thresholds.TellingWaitersOfBusyOwner : Thresholds.WaitersOfBusyOwner;

    private Observation Describe(RuleContext context, LockFacts @lock, ThreadAssessment owner, CpuShare cpu, WaitEdge[] waits)
    {
        ThreadId ownerId = owner.Thread.OsId;
        Claim label = Parties.Label(context, ownerId);
        Claim what = Parties.Label(context, @lock.Id);
        SpinSignals signals = context.SpinOf(owner);
        Claim matching = OpenWork.IsMatching(owner.Thread) && WaitPlace.InProgram(owner.Thread) is { } place
            ? $" in {place}, at a regular expression"
            : Claim.Empty;
        Claim spot = matching.IsEmpty && signals.Site is { } site && !UserCode.IsManaged(site)
            && owner.Thread.Stack.Frames.Any(UserCode.IsManaged)
            && WaitPlace.InProgram(owner.Thread) is { } method ? (Claim)$" in {method}" : SpinText.Place(signals);
        Claim where = matching.IsEmpty ? $"{SpinText.Site(signals)}{SpinText.Loop(signals)}" : matching;
        string burned = Durations.Of(cpu.Time.Total());
        string life = cpu.Life.TryGet(out TimeSpan span) ? $" in the {Durations.Of(span)} since it started" : string.Empty;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.OwnerComputes,
            Links = Links.Weakest([@lock.Owner.Trust, .. waits.Select(wait => wait.Trust)]),
            Signs = (waits.Length >= Thresholds.WaitersForLikelyBusyOwner ? Sign.Crowd : Sign.None)
                | (MakesProgress(context, owner.Thread) ? Sign.MakesProgress : Sign.None),
            Title = $"{label} computes{(matching.IsEmpty ? spot : matching)} and holds {what}, for which {Count.Waiting(waits.Length)}; it has used {burned} of CPU",
            Culprit = Parties.OfThread(context, ownerId) with { Role = $"holds {what} and computes{where}" },
            Chain = [Parties.Link(context, waits[0]), Parties.Link(context, context.Graph.From(WaitNode.Of(@lock.Id))[0])],
            Victims = Waiters.PartiesOf(context, context.Graph.ThreadsBehind(WaitNode.Of(ownerId))),
            Evidence =
            [
                new Evidence($"{what} is held by {label}", "lock", @lock.Owner.Trust) { Address = @lock.Id.Address },
                new Evidence($"{label} is running{where}", "stack", owner.Trust)
                {
                    Thread = ownerId,
                    Frame = owner.Frame is null ? null : Claim.Of(owner.Frame),
                },
                new Evidence($"{label} has used {burned} of CPU{life}", "thread times", owner.Thread.Cpu.Trust) { Thread = ownerId },
                .. Waiters.Evidence(context, waits, "waits for it and has hardly run"),
            ],
            Advice =
            [
                $"Look at what runs{SpinText.Site(signals)} under the lock: compute outside it, or in smaller steps.",
                "Take a second capture some seconds later: it shows whether the owner makes progress.",
            ],
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }

    private static bool HasOpenWork(RuleContext context, LockFacts @lock)
        => @lock.Owner.TryGet(out ThreadId owner) && context.Find(owner) is { } thread && OpenWork.Of(context, thread.Thread) is not null;

    // Three looks tell a loop that stands still, if it does.
    private static bool MakesProgress(RuleContext context, ThreadFacts owner)
        => context.FindWork(owner.OsId) is { } work
            && (context.Timeline.OfWork(owner, work) is { } history
                ? history.Stay == WorkStay.Moves && (history.Samples >= Thresholds.SamplesOfRound || history.HasChanged)
                : context.Case.Samples.Count >= Thresholds.SamplesOfRound);

    private static bool ServesWindows(RuleContext context, WaitEdge wait)
        => wait.From.Thread is { } id
            && (context.FindUiThread(id) is not null || (context.Find(id) is { } thread && WindowThreads.Dispatches(thread.Thread)));

    private static bool IsKeptWaiting(RuleContext context, WaitEdge edge, CpuShare owner)
        => edge.From.Thread is { } thread
            && !edge.EndsByItself
            && context.Find(thread)?.Thread.Cpu.Is(time => time.Total() <= owner.Time.Total() * Thresholds.HardlyRunShare) == true;
}
