using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>
/// Threads that wait for a lock whose owner does not seem to get on either, for a reason that no rule knows. They are
/// no verdict, and they forbid the verdict that all is well.
/// </summary>
internal static class Unexplained
{
    // Threads that take turns on a lock are seldom more than a few at a time.
    private const int Crowd = 4;

    /// <summary>Those waits, the longest chain first.</summary>
    public static IReadOnlyList<UnexplainedWait> Waits(RuleContext context, IReadOnlyList<Finding> findings)
    {
        HashSet<ThreadId> explained =
        [
            .. findings.Where(finding => finding.Severity == Severity.Hang)
                .SelectMany(finding => finding.Victims.Concat(finding.Chain.Select(link => link.From)))
                .Select(party => party.Thread)
                .OfType<ThreadId>(),
        ];

        return
        [
            .. context.Graph.Nodes
                .Where(node => node.Thread is { } thread && !explained.Contains(thread))
                .Select(node => Follow(context, node))
                .OfType<UnexplainedWait>()
                .OrderByDescending(wait => wait.Chain.Count)
                .GroupBy(wait => (wait.Chain[^1].To, wait.Gap.Why))
                .Select(SameEnd),
            .. context.Threads
                .Where(thread => IsAtUnknownLock(context, thread) && !explained.Contains(thread.Thread.OsId))
                .Select(thread => new UnexplainedWait(
                    new Gap(
                        $"what {Parties.Label(context, thread.Thread.OsId)} waits for",
                        $"it is in {FrameText.Of(thread.Frame!)}, and which lock that is could not be found"),
                    [])),
        ];
    }

    // Whoever waits behind the same end is kept waiting for the same reason.
    private static UnexplainedWait SameEnd(IEnumerable<UnexplainedWait> waits)
    {
        UnexplainedWait[] all = [.. waits];
        return all.Length == 1 ? all[0] : all[0] with
        {
            Gap = all[0].Gap with { What = string.Create(CultureInfo.InvariantCulture, $"{all[0].Gap.What} and {all.Length - 1} more") },
        };
    }

    // A managed thread that enters a monitor and is not yet blocked on it has no wait on record; it may get on at once.
    private static bool IsAtUnknownLock(RuleContext context, ThreadAssessment thread)
        => thread is { State: ThreadActivity.WaitsForLock, Frame.Kind: FrameKind.Native }
            && context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Count == 0;

    private static UnexplainedWait? Follow(RuleContext context, WaitNode waiter)
    {
        IReadOnlyList<WaitEdge> chain = context.Graph.ChainFrom(waiter);
        if (chain.Count == 0 || chain.Any(edge => edge.EndsByItself))
        {
            return null;
        }

        // A task may take as long as it likes, and so may whoever waits for it; only a lock is meant to be held for a short time.
        if (chain.Any(edge => edge.To.Task is not null) && !chain.Any(edge => edge.To.Lock is not null))
        {
            return null;
        }

        // Whoever waits for the end of a worker waits as long as the worker has nothing to do.
        WaitNode end = chain[^1].To;
        if (chain.All(edge => edge.To.Thread is not null) && context.Find(end.Thread!.Value)?.State == ThreadActivity.WaitsForObject)
        {
            return null;
        }

        string? why = (end.Thread, end.Lock) switch
        {
            _ when end.Task is { } task => Tasks.TaskText.WhyUnknown(context, task),
            ({ } thread, _) => WhyStuck(context, thread) ?? WhyCrowded(context, chain[^1]),
            (_, { Kind: LockKind.LoadInProgress } load) => context.Find(load)?.Owner.Gap?.Why ?? "nobody is recorded as the load owner",
            (_, { Kind: LockKind.LoaderLock }) => "nobody is recorded as the loader's owner",
            (_, { } @lock) when context.Find(@lock) is { Owner.Gap: { } gap } facts && facts.IsHeld.Is(held => held) => gap.Why,
            _ => null,
        };
        return why is null ? null : new UnexplainedWait(new Gap($"what ends the wait of {Parties.Label(context, waiter.Thread!.Value)}", why), chain);
    }

    private static string? WhyStuck(RuleContext context, ThreadId owner)
        => context.Find(owner) is not { } found ? $"the owner, {Parties.Label(context, owner)}" : found.State switch
        {
            ThreadActivity.WaitsForObject or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply or ThreadActivity.WaitsForLoader or ThreadActivity.WaitsForLock =>
                $"the owner, {Parties.Label(context, owner)}, waits itself{Where(found)}, for something that cannot be followed",
            ThreadActivity.WaitsForIo => $"the owner, {Parties.Label(context, owner)}, waits for input or output{Where(found)}, and when that comes is not known",
            ThreadActivity.Yielding => $"the owner, {Parties.Label(context, owner)}, is in a yield, and whether it goes on is not known",
            ThreadActivity.Unknown => $"what the owner, {Parties.Label(context, owner)}, does cannot be told",
            _ => null,
        };

    // A crowd behind an owner that computes or sleeps is a hang or a busy moment; the owner's processor time, or the length of
    // its sleep, would tell which.
    private static string? WhyCrowded(RuleContext context, WaitEdge held)
    {
        string? does = context.Find(held.To.Thread!.Value) switch
        {
            { State: ThreadActivity.Running, Thread.Cpu.Gap: not null } => "computes",
            { State: ThreadActivity.Sleeping } owner when !Rest.SleepEnds(owner.Thread) => $"sleeps{Where(owner)}",
            _ => null,
        };
        return does is not null && held.From.Lock is not null && context.Graph.ThreadsBehind(held.To).Count is >= Crowd and int count
            ? string.Create(CultureInfo.InvariantCulture, $"the owner, {Parties.Label(context, held.To.Thread!.Value)}, {does} while {count} threads wait, and for how long it has is not in the input")
            : null;
    }

    private static string Where(ThreadAssessment thread) => WaitText.Of(thread.Thread) is { } place ? $" ({place})" : string.Empty;
}
