using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>Judges the facts of a process. Pure: the same facts give the same result on every machine.</summary>
public static class Triage
{
    public static TriageResult Judge(ProcessSnapshot snapshot) => Judge(snapshot, null, RuleCatalog.All);

    /// <param name="snapshot">The facts.</param>
    /// <param name="rules">The rules to run, for tests that bring their own.</param>
    public static TriageResult Judge(ProcessSnapshot snapshot, IReadOnlyList<IRule> rules) => Judge(snapshot, null, rules);

    /// <param name="snapshot">The facts.</param>
    /// <param name="earlier">
    /// The same process some time before. Where the two are not known to be one process, the later is judged alone, and
    /// the result says why.
    /// </param>
    public static TriageResult Judge(ProcessSnapshot snapshot, ProcessSnapshot? earlier) => Judge(snapshot, earlier, RuleCatalog.All);

    private static TriageResult Judge(ProcessSnapshot snapshot, ProcessSnapshot? earlierSnapshot, IReadOnlyList<IRule> rules)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        ArgumentNullException.ThrowIfNull(rules);
        string whyNot = string.Empty;
        EarlierCapture? earlier = earlierSnapshot is null ? null : EarlierCapture.Join(snapshot, earlierSnapshot, out whyNot);
        RuleContext context = new(snapshot, earlier);
        RuleReport[] reports = [.. rules.Select(rule => new RuleReport(rule.Info, Run(rule, context)))];
        IReadOnlyList<Finding> findings = VerdictEngine.Order(
            reports.SelectMany(report => report.Outcome.Findings).Select(finding => Moved.Consider(context, finding)));
        return new TriageResult
        {
            Snapshot = snapshot,
            Earlier = earlier?.Snapshot,
            WhyEarlierIsNotUsed = whyNot.Length == 0 ? null : whyNot,
            Verdict = VerdictEngine.Decide(context, findings, reports),
            Findings = findings,
            Rules = reports,
            Threads = [.. context.Threads.Select(thread => thread with { WaitsFor = AwaitedText.Of(context, thread.Thread.OsId) })],
        };
    }

    // A rule that breaks must not take the others' answers with it, and must not look clean either.
    private static RuleOutcome Run(IRule rule, RuleContext context)
    {
        try
        {
            return rule.Evaluate(context);
        }
#pragma warning disable CA1031 // Whatever a rule throws is its outcome.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return RuleOutcome.Failed(e);
        }
    }
}
