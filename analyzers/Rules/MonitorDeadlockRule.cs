using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>Threads that wait in a circle for monitors and Locks which the next one holds.</summary>
public sealed class MonitorDeadlockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1001", "monitor deadlock", "Threads wait in a circle for monitors or Locks that the next one holds.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Managed is not { } section)
        {
            return RuleOutcome.NotApplicable("the process runs no .NET");
        }

        if (!section.TryGet(out ManagedFacts? managed))
        {
            return RuleOutcome.Blind(section.Gap!);
        }

        Gap[] gaps = [.. new[] { managed.Locks.Gap, managed.Waits.Gap }.OfType<Gap>()];
        if (gaps.Length > 0)
        {
            return RuleOutcome.Blind(gaps);
        }

        Finding[] findings = [.. context.Graph.Cycles().Where(IsManaged).Select(cycle => Describe(context, cycle))];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private static bool IsManaged(IReadOnlyList<WaitNode> cycle)
        => cycle.All(node => node.Lock is null or { Kind: LockKind.Monitor or LockKind.ManagedLock });

    private Finding Describe(RuleContext context, IReadOnlyList<WaitNode> cycle)
    {
        IReadOnlyList<WaitEdge> round = Round(context, cycle);
        ThreadId[] threads = [.. round.Select(edge => edge.From.Thread).OfType<ThreadId>()];
        WaitEdge? ending = round.FirstOrDefault(edge => edge.EndsByItself);
        IReadOnlyList<Party> victims = Victims(context, cycle);
        (Confidence confidence, string reason) = Judge(round);

        string circle = string.Create(CultureInfo.InvariantCulture, $"{threads.Length} threads wait for each other in a circle");
        string behind = victims.Count > 0 ? string.Create(CultureInfo.InvariantCulture, $", and {victims.Count} more wait behind them") : string.Empty;
        return new Finding
        {
            Rule = Info,
            Severity = ending is null ? Severity.Hang : Severity.Warning,
            Kind = ending is null ? VerdictKind.Deadlock : VerdictKind.NotHung,
            Confidence = confidence,
            ConfidenceReason = reason,
            Title = ending is null ? circle + behind : circle + " until a time-out ends it" + behind,
            Culprit = Parties.OfThread(context, threads[0]) with { Role = "the first in the circle; all of its threads are equally to blame" },
            Chain = [.. round.Select(edge => Parties.Link(context, edge))],
            Victims = victims,
            Evidence = [.. round.Select(edge => EvidenceFor(context, edge))],
            Advice =
            [
                "Let every thread take these locks in one order, or hold no lock while it takes the next.",
                "Where one order is not possible, take the second lock with a time-out and give the first one back when it expires.",
            ],
            Signature = Signature.Of(Info, threads.Select(thread => context.Find(thread)?.Thread.Stack.Frames ?? [])),
        };
    }

    /// <summary>Once around, from the thread that comes first in the process's list.</summary>
    private static IReadOnlyList<WaitEdge> Round(RuleContext context, IReadOnlyList<WaitNode> cycle)
    {
        HashSet<WaitNode> members = [.. cycle];
        WaitNode start = cycle
            .Where(node => node.Thread is not null)
            .MinBy(node => (context.Find(node.Thread!.Value)?.Thread.Index ?? int.MaxValue, node.Thread.Value))!;
        List<WaitEdge> round = [];
        HashSet<WaitNode> passed = [];
        for (WaitNode node = start; passed.Add(node);)
        {
            WaitEdge edge = context.Graph.From(node).First(edge => members.Contains(edge.To));
            round.Add(edge);
            node = edge.To;
        }

        return round;
    }

    private static IReadOnlyList<Party> Victims(RuleContext context, IReadOnlyList<WaitNode> cycle)
    {
        HashSet<WaitNode> members = [.. cycle];
        return
        [
            .. context.Graph.UpstreamOf(cycle)
                .Where(node => node.Thread is not null)
                .Select(node => Parties.Of(context, node) with { Role = RoleOf(context, node, members) }),
        ];
    }

    private static string? RoleOf(RuleContext context, WaitNode victim, HashSet<WaitNode> members)
    {
        return context.Graph.ChainFrom(victim) is [{ To.Lock: { } @lock }, { To: { Thread: { } owner } next }, ..]
            ? $"waits for {Parties.Label(context, @lock)}, held by {Parties.Label(context, owner)}, "
                + (members.Contains(next) ? "which is in the circle" : "which waits behind the circle itself")
            : null;
    }

    private static (Confidence Confidence, string Reason) Judge(IReadOnlyList<WaitEdge> round)
    {
        if (round.Any(edge => edge.Trust is Trust.Scanned or Trust.Assumed))
        {
            return (Confidence.Possible, "a link of the circle is guessed from stack words or rests on an unverified layout");
        }

        if (round.Any(edge => !edge.Timeout.HasValue))
        {
            return (Confidence.Likely, "every link was found; whether a wait has a time-out is not recorded");
        }

        return round.Any(edge => edge.Trust == Trust.Derived && edge.From.Thread is not null)
            ? (Confidence.Likely, "every link was found; a wait is concluded from the stack and its objects")
            : (Confidence.Certain, "every wait and every owner is recorded by the runtime, and no wait has a time-out");
    }

    private static Evidence EvidenceFor(RuleContext context, WaitEdge edge)
    {
        string claim = $"{Parties.Of(context, edge.From).Label} {edge.Label} {Parties.Of(context, edge.To).Label}";
        ThreadId? waiter = edge.From.Thread;
        FrameFacts? frame = waiter is { } id ? context.Find(id)?.Thread.Stack.Frames.FirstOrDefault(IsUserCode) : null;
        return new Evidence(claim, edge.Source, edge.Trust)
        {
            Thread = waiter ?? edge.To.Thread,
            Frame = frame is null ? null : FrameText.Of(frame),
            Address = (edge.From.Lock ?? edge.To.Lock)?.Address,
        };
    }

    private static bool IsUserCode(FrameFacts frame)
        => frame is { Kind: FrameKind.Managed, Method: { } method } && !method.StartsWith("System.", StringComparison.Ordinal);
}
