using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>Makes one verdict of what all rules found and of what they could not see.</summary>
internal static class VerdictEngine
{
    private const string WhatIsMissing = "what is missing is known; what it would have shown is not";

    private static readonly string[] s_captureAdvice =
    [
        "Take a dump that holds more: on Windows \"procdump -ma PID\" (full memory, thread times, handles), for .NET on Linux \"dotnet-dump collect --type Full -p PID\".",
    ];

    /// <summary>The findings in the order in which they decide: hangs first, the surest first, then those that hold up most.</summary>
    public static IReadOnlyList<Finding> Order(IEnumerable<Finding> findings)
        =>
        [
            .. findings
                .OrderBy(finding => finding.Severity)
                .ThenBy(finding => finding.Confidence)
                .ThenByDescending(finding => finding.Victims.Count)
                .ThenBy(finding => finding.Rule.Id, StringComparer.Ordinal)
                .ThenBy(finding => finding.Culprit?.Thread?.Value ?? uint.MaxValue),
        ];

    /// <param name="context">The facts.</param>
    /// <param name="findings">All findings, in the order of <see cref="Order"/>.</param>
    /// <param name="rules">How every rule ended.</param>
    public static Verdict Decide(RuleContext context, IReadOnlyList<Finding> findings, IReadOnlyList<RuleReport> rules)
    {
        Gap[] gaps =
        [
            .. StoppedOf(context).Concat(rules.SelectMany(GapsOf)).Concat(context.Snapshot.Gaps).Distinct(),
        ];
        IReadOnlyList<UnexplainedWait> waits = Unexplained.Waits(context, findings);
        Gap[] unexplained = [.. waits.Select(wait => wait.Gap)];
        if (findings is [{ Severity: Severity.Hang } decisive, ..])
        {
            return Of(decisive, [.. decisive.Gaps.Concat(unexplained).Concat(gaps).Distinct()]);
        }

        if (findings.FirstOrDefault(finding => finding.Kind == VerdictKind.Inconclusive) is { } open)
        {
            return Of(open, [.. open.Gaps.Concat(unexplained).Concat(gaps).Distinct()]) with
            {
                Confidence = Confidence.Certain,
                ConfidenceReason = WhatIsMissing,
            };
        }

        Gap[] untold = findings.Count > 0 ? [] : [.. NothingTold(context)];
        Gap[] blind = [.. StoppedOf(context).Concat(unexplained).Concat(rules.Where(CanHideAHang).SelectMany(GapsOf)).Concat(untold).Distinct()];
        if (blind.Length > 0)
        {
            return Inconclusive(context, waits is [UnexplainedWait longest, ..] ? longest.Chain : [], blind, [.. unexplained.Concat(untold).Concat(gaps).Distinct()]);
        }

        return findings.FirstOrDefault(finding => finding.Kind == VerdictKind.BusyNotHung) is { } busy
            ? Of(busy, gaps)
            : NotHung(context, findings, gaps);
    }

    private static IEnumerable<Gap> StoppedOf(RuleContext context) => context.Snapshot.Stopped is { } stopped ? [stopped] : [];

    // A lock that nobody is seen to wait for is no comfort where no stack tells what its thread does.
    private static IEnumerable<Gap> NothingTold(RuleContext context)
        => context.Threads.Count > 0 && context.Threads.All(thread => thread.State == ThreadActivity.Unknown)
            ? [new Gap("what the threads do", context.Threads[0].Thread.Stack.Stopped?.Why ?? "no stack tells it")]
            : [];

    private static bool CanHideAHang(RuleReport report) => report.Outcome.Kind switch
    {
        RuleOutcomeKind.Failed => true,
        RuleOutcomeKind.Blind => report.Rule.FindsHangs,
        _ => false,
    };

    private static IEnumerable<Gap> GapsOf(RuleReport report)
        => report.Outcome.Kind == RuleOutcomeKind.Failed
            ? [new Gap($"{report.Rule.Id} {report.Rule.Name}", $"the rule failed: {report.Outcome.Why}")]
            : report.Outcome.Gaps;

    private static Verdict Of(Finding finding, IReadOnlyList<Gap> gaps) => new()
    {
        Kind = finding.Kind,
        Confidence = finding.Confidence,
        ConfidenceReason = finding.ConfidenceReason,
        Title = finding.Title,
        Rule = finding.Rule,
        Signature = finding.Signature,
        Culprit = finding.Culprit,
        Chain = finding.Chain,
        Victims = finding.Victims,
        Evidence = finding.Evidence,
        Contradictions = finding.Contradictions,
        Gaps = gaps,
        Advice = finding.Advice,
    };

    /// <param name="context">The facts.</param>
    /// <param name="chain">The waits that lead furthest: their end is where to look, though what it does is not known.</param>
    /// <param name="decisive">What forbids a surer verdict.</param>
    /// <param name="gaps">All gaps.</param>
    private static Verdict Inconclusive(
        RuleContext context, IReadOnlyList<WaitEdge> chain, IReadOnlyList<Gap> decisive, IReadOnlyList<Gap> gaps) => new()
    {
        Kind = VerdictKind.Inconclusive,
        Confidence = Confidence.Certain,
        ConfidenceReason = WhatIsMissing,
        Title = $"No hang was found, and none can be ruled out: {decisive[0]}"
            + (decisive.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $" (and {decisive.Count - 1} more)") : string.Empty),
        Signature = "inconclusive",
        Culprit = chain.Count == 0 ? null : Parties.Of(context, chain[^1].To) with { Role = "the end of the longest chain of waits" },
        Chain = [.. chain.Select(edge => Parties.Link(context, edge))],
        Victims = chain.Count == 0 ? [] : [.. context.Graph.ThreadsBehind(chain[^1].To).Select(victim => Parties.Of(context, victim))],
        Evidence = [.. chain.Select(edge => new Evidence(
            $"{Parties.Of(context, edge.From).Label} {edge.Label} {Parties.Of(context, edge.To).Label}", edge.Source, edge.Trust) { Thread = edge.From.Thread })],
        Gaps = gaps,
        Advice = s_captureAdvice,
    };

    private static Verdict NotHung(RuleContext context, IReadOnlyList<Finding> findings, IReadOnlyList<Gap> gaps)
    {
        int waiting = context.Threads.Count(thread => thread.State is ThreadActivity.WaitsForLock or ThreadActivity.WaitsForLoader);
        int others = context.Threads.Count(thread => context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Count > 0);
        IEnumerable<Evidence> states = context.Threads
            .GroupBy(thread => thread.State)
            .OrderByDescending(group => group.Count())
            .Select(group => new Evidence(
                string.Create(CultureInfo.InvariantCulture, $"{Count(group.Count(), "thread")} {Doing(group.Key)}"), "stacks", Trust.Derived));
        IEnumerable<Evidence> temporary = findings.Select(finding => new Evidence(finding.Title, finding.Rule.Id, Trust.Derived));
        return new Verdict
        {
            Kind = VerdictKind.NotHung,
            Confidence = Confidence.Likely,
            ConfidenceReason = "every rule that applies saw what it needs and found nothing; what no rule looks for can still be there",
            Title = (waiting, others) switch
            {
                (0, 0) => "No hang found: no thread waits for another",
                (0, _) => $"No hang found: {Count(others, "thread")} {(others == 1 ? "waits" : "wait")} for a task, a signal or another thread, and none of these is known to be stuck",
                _ => $"No hang found: {Count(waiting, "thread")} {(waiting == 1 ? "waits" : "wait")} for a lock, and no chain of waits ends in a thread that is stuck",
            },
            Signature = "not hung",
            Evidence = [.. temporary, .. states, .. LoaderEvidence(context)],
            Gaps = gaps,
        };
    }

    private static IEnumerable<Evidence> LoaderEvidence(RuleContext context)
        => context.Snapshot.Windows is { } windows
            && windows.LoaderLock.TryGet(out LockFacts? loaderLock)
            && loaderLock.IsHeld.TryGet(out bool isHeld)
                ? [new Evidence(
                    isHeld ? "the loader lock is held, and nobody waits for it" : "the loader lock is free",
                    "loader lock",
                    loaderLock.IsHeld.Trust) { Address = loaderLock.Id.Address }]
                : [];

    private static string Count(int count, string noun)
        => string.Create(CultureInfo.InvariantCulture, $"{count} {noun}{(count == 1 ? string.Empty : "s")}");

    private static string Doing(ThreadActivity state) => state switch
    {
        ThreadActivity.Running => "in code of their own",
        ThreadActivity.Yielding => "in a yield",
        ThreadActivity.Sleeping => "asleep",
        ThreadActivity.Suspended => "suspended",
        ThreadActivity.WaitsForLock => "waiting for a lock",
        ThreadActivity.WaitsForLoader => "waiting for the loader",
        ThreadActivity.WaitsForObject => "waiting for an event, a pulse or another object",
        ThreadActivity.WaitsForIo => "waiting for input or output",
        ThreadActivity.WaitsForAnswer => "waiting for the answer to a window message",
        ThreadActivity.WaitsForReply => "waiting for the answer of a COM or RPC call",
        ThreadActivity.WaitsForMessage => "waiting for a message",
        ThreadActivity.IdlePoolWorker => "idle in a pool",
        _ => "of which the stack does not tell what they do",
    };
}
