using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules;

/// <summary>Judges the facts of a process. Pure: the same facts give the same result on every machine.</summary>
public static class Triage
{
    public static TriageResult Judge(ProcessSnapshot snapshot) => Judge(Case.Of(snapshot));

    /// <summary>Judges the last sample of a case by all of them. Samples that are not joined to it are not compared; the case says why.</summary>
    public static TriageResult Judge(Case @case) => Judge(@case, RuleCatalog.All, VerdictPolicy.Standard);

    /// <param name="case">The facts.</param>
    /// <param name="rules">The rules to run, for tests that bring their own.</param>
    public static TriageResult Judge(Case @case, IReadOnlyList<IRule> rules) => Judge(@case, rules, VerdictPolicy.Standard);

    /// <param name="case">The facts.</param>
    /// <param name="rules">The rules to run.</param>
    /// <param name="policy">What makes verdicts of what they see, for tests that change a row.</param>
    public static TriageResult Judge(Case @case, IReadOnlyList<IRule> rules, VerdictPolicy policy)
    {
        ArgumentNullException.ThrowIfNull(@case);
        ArgumentNullException.ThrowIfNull(rules);
        ArgumentNullException.ThrowIfNull(policy);
        RuleContext context = new(@case);
        RuleReport[] reports = [.. rules.Select(rule => RuleRunner.Run(rule, context))];
        FindingJudge judge = new(context, policy);
        IReadOnlyList<Finding> findings = FindingOrder.Of(context, [.. reports.SelectMany(report => report.Outcome.Observations).Select(judge.Judge)]);
        (Verdict verdict, PolicyRow? row) = new VerdictEngine(context, policy).Decide(findings, reports);
        return new TriageResult
        {
            Case = @case,
            Verdict = verdict,
            Tests = RunningTests.Of(@case),
            Row = row,
            Findings = findings,
            Rules = reports,
            Threads = [.. context.Threads.Select(thread => thread with { WaitsFor = WaitText.WithAge(context, thread.Thread.OsId) })],
        };
    }
}
