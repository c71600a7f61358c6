using System.Text.Json;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Truth.Judging;

namespace HangTriage.Tests.Truth;

public sealed class JudgementTests
{
    private static readonly ExpectedProgram s_hung = new()
    {
        Id = "hung", Package = "", IsHung = true, Kinds = ["Orphaned", "NeverCompleted"], Culprit = ["Cache|_gate", "loader"], Why = "",
    };

    private static readonly ExpectedProgram s_healthy = s_hung with { Id = "healthy", IsHung = false, Kinds = ["NotHung"], Culprit = [] };

    [Theory]
    [InlineData("Orphaned", 1, "loader left Cache", nameof(Outcome.Right))]
    [InlineData("NeverCompleted", 1, "loader left _gate", nameof(Outcome.Right))]
    [InlineData("Orphaned", 1, "loader left it", nameof(Outcome.WrongCulprit))]
    [InlineData("Deadlock", 1, "loader left Cache", nameof(Outcome.WrongKind))]
    [InlineData("Inconclusive", 2, "loader left Cache", nameof(Outcome.Unsure))]
    [InlineData("NotHung", 0, "loader left Cache", nameof(Outcome.Missed))]
    [InlineData("BusyNotHung", 0, "loader left Cache", nameof(Outcome.Missed))]
    [InlineData("Orphaned", 0, "loader left Cache", nameof(Outcome.Failed))]
    public void A_hang_is_judged_rightly_with_a_kind_and_all_words(string kind, int exitCode, string title, string expected)
        => Assert.Equal(expected, $"{Judgement.Of(s_hung, Run(kind, exitCode, title)).Outcome}");

    [Theory]
    [InlineData("NotHung", 0, nameof(Outcome.Right))]
    [InlineData("Inconclusive", 2, nameof(Outcome.Unsure))]
    [InlineData("Deadlock", 1, nameof(Outcome.FalseAlarm))]
    [InlineData("BusyNotHung", 0, nameof(Outcome.WrongKind))]
    public void A_healthy_program_is_judged_rightly_with_a_kind(string kind, int exitCode, string expected)
        => Assert.Equal(expected, $"{Judgement.Of(s_healthy, Run(kind, exitCode, "")).Outcome}");

    [Fact]
    public void The_culprit_can_name_what_the_title_does_not()
        => Assert.True(Judgement.Of(s_hung, Run("Orphaned", 1, "loader left it", """{ "kind": "lock", "lock": { "label": "_gate" } }""")).IsRight);

    [Theory]
    [InlineData("Deadlock", true)]
    [InlineData("NeverCompleted", false)]
    public void The_parties_of_a_circle_alone_are_all_culprits(string kind, bool isRight)
    {
        ToolRun run = Run(kind, 1, "", """{ "label": "Cache" }""", """[{ "from": { "label": "Cache" }, "to": { "label": "loader" } }]""");
        Assert.Equal(isRight, Judgement.Of(s_hung with { Kinds = [kind] }, run).IsRight);
    }

    [Fact]
    public void No_report_is_a_failure()
        => Assert.Equal(Outcome.Failed, Judgement.Of(s_healthy, new ToolRun(0, "", "crashed")).Outcome);

    [Fact]
    public void The_table_counts_what_is_said_of_what_is_wanted()
    {
        string table = TruthTable.Of(
        [
            Judgement.Of(s_hung, Run("NotHung", 0, "all is well")),
            Judgement.Of(s_hung, Run("Orphaned", 1, "loader left Cache")),
            Judgement.Of(s_healthy, Run("NotHung", 0, "all is well")),
        ]);
        Assert.Contains("1 of 2 hangs that are called healthy (wanted: none)  NOT MET", table, StringComparison.Ordinal);
        Assert.Contains("1 of 2 hangs with the right kind and culprit (wanted: three quarters)  NOT MET", table, StringComparison.Ordinal);
        Assert.Contains("1 of 1 healthy programs that are called healthy (wanted: nine tenths)\n", table.ReplaceLineEndings("\n"), StringComparison.Ordinal);
        Assert.Matches(@"(?m)^Orphaned +1 +1\r?$", table);
    }

    private static ToolRun Run(string kind, int exitCode, string title, string culprit = "{}", string chain = "[]")
        => new(exitCode, $$"""{ "verdict": { "kind": "{{kind}}", "confidence": "Likely", "title": {{JsonSerializer.Serialize(title)}}, "chain": {{chain}}, "culprit": {{culprit}} } }""", "");
}
