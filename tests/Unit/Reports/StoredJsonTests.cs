using System.Text.Json;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>The sentences of JSON reports, which the golden verdicts leave out: each is the verdict's own, in its field.</summary>
public sealed class StoredJsonTests
{
    public static TheoryData<string> Names => StoredSampleTests.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_sentences_are_the_verdicts(string name)
    {
        Verdict verdict = StoredSamples.Result(name).Verdict;
        using JsonDocument report = JsonDocument.Parse(StoredSamples.Json(name));
        JsonElement said = report.RootElement.GetProperty("verdict");

        Assert.Equal(verdict.Title.Text, said.GetProperty("title").GetString());
        Assert.Equal(verdict.ConfidenceReason, said.GetProperty("confidenceReason").GetString());
        Assert.Equal(verdict.Advice.Select(advice => advice.Text), All(said, "advice").Select(advice => advice.GetString()));
        Assert.Equal(verdict.Gaps.Select(gap => (gap.What, gap.Why)), All(said, "gaps").Select(gap => (Of(gap, "what")!, Of(gap, "why")!)));
        Assert.Equal(verdict.Evidence.Select(Claimed), All(said, "evidence").Select(Claimed));
        Assert.Equal(verdict.Contradictions.Select(Claimed), All(said, "contradictions").Select(Claimed));
        Assert.Equal(verdict.Victims.Select(Named), All(said, "victims").Select(Named));
        Assert.Equal(
            verdict.Chain.Select(link => (Named(link.From), link.Edge, Named(link.To))),
            All(said, "chain").Select(link => (Named(link.GetProperty("from")), Of(link, "edge")!, Named(link.GetProperty("to")))));
        Assert.Equal(
            verdict.Culprit is { } culprit ? Named(culprit) : null,
            said.TryGetProperty("culprit", out JsonElement party) ? Named(party) : null);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_findings_rules_suspects_and_threads_are_the_results(string name)
    {
        TriageResult result = StoredSamples.Result(name);
        using JsonDocument report = JsonDocument.Parse(StoredSamples.Json(name));

        Assert.Equal(
            result.Findings.Select(finding => (finding.Rule.Id, finding.Kind.ToString(), finding.Title.Text, finding.ConfidenceReason)),
            All(report.RootElement, "findings")
                .Select(finding => (Of(finding, "rule")!, Of(finding, "kind")!, Of(finding, "title")!, Of(finding, "confidenceReason")!)));
        Assert.Equal(
            result.Rules.Select(rule => (rule.Rule.Id, rule.Outcome.Kind.ToString().ToUpperInvariant(), rule.Outcome.Why)),
            All(report.RootElement, "rules")
                .Select(rule => (Of(rule, "rule")!, Of(rule, "outcome")!.ToUpperInvariant(), Of(rule, "why"))));
        Assert.Equal(
            result.Verdict.Suspects.Select(suspect => (suspect.Title.Text, suspect.Waiters.Count)),
            All(report.RootElement, "suspects")
                .Select(suspect => (Of(suspect, "title")!, suspect.GetProperty("waiters").GetArrayLength())));
        Assert.Equal(
            result.Threads.Select(thread => (
                thread.Thread.OsId.ToString(),
                thread.State.ToString().ToUpperInvariant(),
                thread.WaitsFor?.Label.Text,
                thread.Thread.Stack.Frames.Count)),
            All(report.RootElement, "threads").Select(thread => (
                Of(thread, "osId")!,
                Of(thread, "state")!.ToUpperInvariant(),
                thread.TryGetProperty("waitsFor", out JsonElement wait) ? Of(wait, "label") : null,
                thread.GetProperty("frames").GetArrayLength())));
    }

    private static IEnumerable<JsonElement> All(JsonElement element, string list) => element.GetProperty(list).EnumerateArray();

    private static string? Of(JsonElement element, string name)
        => element.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    private static (string Claim, string Source) Claimed(Evidence item) => (item.Claim.Text, item.Source);

    private static (string Claim, string Source) Claimed(JsonElement item) => (Of(item, "claim")!, Of(item, "source")!);

    private static (string Label, string? Role)? Named(Party party) => (party.Label.Text, party.Role?.Text);

    private static (string Label, string? Role)? Named(JsonElement party) => (Of(party, "label")!, Of(party, "role"));
}
