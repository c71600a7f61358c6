using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>
/// A thread computes while it holds a lock for which several others wait that have hardly run. Threads that take turns
/// on a lock burn CPU each, so they are not this pattern.
/// </summary>
public sealed class BusyLockOwnerRule : IRule
{
    private const int FewestWaiters = 2;
    private const int WaitersToBeLikely = 3;

    // No thread starts, ends or loads meanwhile, so one that waits for it tells as much as a queue elsewhere.
    // Nor does a window answer whose thread waits.
    private const int FewestTellingWaiters = 1;

    // Of the owner's CPU time: whoever takes turns with it has used a like amount.
    private const double HardlyRun = 0.05;

    public RuleInfo Info { get; } = new("HT3005", "lock owner computes", "A thread computes while it holds a lock that several others wait for.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        Finding[] findings = [.. context.Locks.Select(@lock => Describe(context, @lock)).OfType<Finding>()];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding? Describe(RuleContext context, LockFacts @lock)
    {
        if (!@lock.Owner.TryGet(out ThreadId ownerId)
            || context.Find(ownerId) is not { State: ThreadActivity.Running } owner
            || !CpuShare.Of(owner.Thread, context.Snapshot.Target).TryGet(out CpuShare? cpu)
            || !cpu.IsBusy(context.ProcessCpu))
        {
            return null;
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(@lock.Id)).Where(edge => IsKeptWaiting(context, edge, cpu))];
        bool isTelling = LoaderLocks.IsOne(@lock.Id) || waits.Any(wait => ServesWindows(context, wait));
        if (waits.Length < (isTelling ? FewestTellingWaiters : FewestWaiters))
        {
            return null;
        }

        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(WaitNode.Of(ownerId));
        string label = Parties.Label(context, ownerId);
        string what = Parties.Label(context, @lock.Id);
        SpinSignals signals = SpinSignals.Of(owner, context);
        string where = (signals.Site is { } site ? $" in {FrameText.Of(site)}" : string.Empty) + SpinText.Loop(signals);
        string burned = SpinText.Duration(cpu.Time.Total());
        string life = cpu.Life.TryGet(out TimeSpan span) ? $" in the {SpinText.Duration(span)} since it started" : string.Empty;
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.BusyOwner,
            Confidence = waits.Length >= WaitersToBeLikely ? Confidence.Likely : Confidence.Possible,
            ConfidenceReason = waits.Length >= WaitersToBeLikely
                ? "the owner is busy and those who wait have hardly run; one capture cannot show for how long"
                : "few wait, and one capture cannot show for how long",
            Title = string.Create(CultureInfo.InvariantCulture, $"{label} computes{where} and holds {what}, for which {waits.Length} thread{(waits.Length == 1 ? " waits" : "s wait")}; it has used {burned} of CPU"),
            Culprit = Parties.OfThread(context, ownerId) with { Role = $"holds {what} and computes{where}" },
            Chain = [Parties.Link(context, waits[0]), Parties.Link(context, context.Graph.From(WaitNode.Of(@lock.Id))[0])],
            Victims = [.. victims.Select(victim => Parties.Of(context, victim) with { Role = "waits" })],
            Evidence =
            [
                new Evidence($"{what} is held by {label}", "lock", @lock.Owner.Trust) { Address = @lock.Id.Address },
                new Evidence($"{label} is running{where}", "stack", owner.Trust)
                {
                    Thread = ownerId,
                    Frame = owner.Frame is null ? null : FrameText.Of(owner.Frame),
                },
                new Evidence($"{label} has used {burned} of CPU{life}", "thread times", owner.Thread.Cpu.Trust) { Thread = ownerId },
                .. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} waits for it and has hardly run", wait.Source, wait.Trust)
                {
                    Thread = wait.From.Thread,
                }),
            ],
            Advice =
            [
                $"Look at what runs{where} under the lock: compute outside it, or in smaller steps.",
                "A second capture some seconds later shows whether it gets on.",
            ],
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }

    private static bool ServesWindows(RuleContext context, WaitEdge wait)
        => wait.From.Thread is { } id
            && (context.FindUiThread(id) is not null || (context.Find(id) is { } thread && WindowThreads.Dispatches(thread.Thread)));

    private static bool IsKeptWaiting(RuleContext context, WaitEdge edge, CpuShare owner)
        => edge.From.Thread is { } thread
            && !edge.EndsByItself
            && context.Find(thread)?.Thread.Cpu.Is(time => time.Total() <= owner.Time.Total() * HardlyRun) == true;
}
