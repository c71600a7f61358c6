using HangTriage.Rules;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Results for commands to report.</summary>
internal static class SmallResults
{
    public static RuleInfo Rule { get; } = new("HT1001", "managed lock cycle", "Threads wait in a circle.");

    public static TriageResult Of(VerdictKind kind, RuleOutcome? outcome = null) => new()
    {
        Snapshot = SmallFacts.Idle(),
        Verdict = new Verdict
        {
            Kind = kind,
            Confidence = Confidence.Certain,
            ConfidenceReason = "it was made so",
            Title = $"The title of {kind}",
            Signature = "HT1001/test",
        },
        Findings = [],
        Rules = [new RuleReport(Rule, outcome ?? RuleOutcome.Clean())],
        Threads = [],
    };
}
