using HangTriage.Cli;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The small case that loads the code of rules and reports while a target is read.</summary>
public sealed class WarmUpTests
{
    /// <summary>It can load only the code that it leads to: a verdict, a circle and an async method are there to be told of.</summary>
    [Fact]
    public void The_small_case_is_a_deadlock_that_every_rule_could_look_at()
    {
        TriageResult result = Triage.Judge(SmallCase.Snapshot());
        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain), (result.Verdict.Kind, result.Verdict.Confidence));
        Assert.DoesNotContain(result.Rules, rule => rule.Outcome.Kind == RuleOutcomeKind.Failed);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void It_is_reported_in_every_format(string format)
        => WarmUp.Run(new ReportLayout(format), Terminal.None);

    public static TheoryData<string> Formats() => [.. ReportFormat.All];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Nothing_of_it_is_seen(bool warmsUp)
    {
        InProcess tool = InProcess.WithVerdict(VerdictKind.NotHung);
        ToolRun run = (tool with { WarmsUp = warmsUp }).Run("analyze", "x");
        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.DoesNotContain("Small", run.Out, StringComparison.Ordinal);
    }
}
