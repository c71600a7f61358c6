using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Tests.Unit.Verdicts;

/// <summary>What counts as another verdict where two builds of the tool are compared.</summary>
public sealed class VerdictSummaryTests
{
    private const string Report = """
        {
          "verdict": {
            "kind": "Deadlock", "rule": "HT1001", "confidence": "Certain", "title": "two wait",
            "culprit": { "kind": "thread", "label": "thread 1", "thread": "0x10", "role": "waits" },
            "chain": [
              { "from": { "kind": "thread", "label": "thread 1", "thread": "0x10" }, "edge": "waits for", "to": { "kind": "lock", "label": "A", "lock": { "kind": "Monitor", "address": "0xa0" } } },
              { "from": { "kind": "lock", "label": "A", "lock": { "kind": "Monitor", "address": "0xa0" } }, "edge": "is held by", "to": { "kind": "task", "label": "t", "task": "0xb0" } }
            ]
          }
        }
        """;

    [Fact]
    public void Parties_are_known_by_what_the_target_calls_them()
    {
        VerdictSummary summary = VerdictSummary.Parse(Report)!;

        Assert.Equal(new VerdictSummary("Deadlock", "Certain", "HT1001", "thread 0x10", "thread 0x10>Monitor 0xa0 Monitor 0xa0>task 0xb0"), summary);
    }

    [Theory]
    [InlineData("\"two wait\"", "\"two threads wait\"")]
    [InlineData("\"label\": \"A\"", "\"label\": \"Ledger.gate\"")]
    [InlineData("\"waits for\"", "\"WaitsFor\"")]
    public void Words_make_no_difference(string words, string others)
        => Assert.Empty(Compare(words, others));

    [Theory]
    [InlineData("\"Deadlock\"", "\"Orphaned\"", "kind: Deadlock -> Orphaned")]
    [InlineData("\"Certain\"", "\"Likely\"", "confidence: Certain -> Likely")]
    [InlineData("HT1001", "HT1002", "rule: HT1001 -> HT1002")]
    [InlineData("\"thread\": \"0x10\", \"role\"", "\"thread\": \"0x11\", \"role\"", "culprit: thread 0x10 -> thread 0x11")]
    [InlineData("\"task\": \"0xb0\"", "\"task\": \"0xb8\"", "chain: thread 0x10>Monitor 0xa0 Monitor 0xa0>task 0xb0 -> thread 0x10>Monitor 0xa0 Monitor 0xa0>task 0xb8")]
    public void What_is_judged_makes_one(string was, string becomes, string difference)
        => Assert.Equal([difference], Compare(was, becomes));

    [Fact]
    public void An_inconclusive_verdict_has_no_confidence()
        => Assert.Empty(VerdictSummary.Parse(Report.Replace("Deadlock", "Inconclusive", StringComparison.Ordinal))!
            .Differences(VerdictSummary.Parse(Report.Replace("Deadlock", "Inconclusive", StringComparison.Ordinal).Replace("\"confidence\": \"Certain\",", "", StringComparison.Ordinal))!));

    [Theory]
    [InlineData("")]
    [InlineData("triage: there is no such file")]
    [InlineData("{}")]
    public void What_is_no_report_is_none(string text) => Assert.Null(VerdictSummary.Parse(text));

    private static IReadOnlyList<string> Compare(string was, string becomes)
        => VerdictSummary.Parse(Report)!.Differences(VerdictSummary.Parse(Report.Replace(was, becomes, StringComparison.Ordinal))!);
}
