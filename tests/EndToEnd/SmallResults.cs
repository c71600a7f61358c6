using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Results for commands to report.</summary>
internal static class SmallResults
{
    public static RuleInfo Rule { get; } = new("HT1001", "managed lock cycle", "Threads wait in a circle.");

    public static TriageResult Of(VerdictKind kind, RuleOutcome? outcome = null) => new()
    {
        Case = Case.Of(SmallFacts.Idle()),
        Verdict = new Verdict
        {
            Kind = kind,
            Confidence = kind == VerdictKind.Inconclusive ? null : Confidence.Certain,
            ConfidenceReason = "it was made so",
            Title = $"The title of {kind.ToString()}",
            Signature = "HT1001/test",
        },
        Findings = [],
        Rules = [new RuleReport(Rule, outcome ?? RuleOutcome.Clean())],
        Threads = [],
    };
}
