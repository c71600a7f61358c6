using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Running;

namespace HangTriage.Tests.Unit.RulePages;

public sealed class RulePageTests
{
    private static readonly string[] s_sections = ["How it is recognised", "What is not taken for it", "What to do", "Examples"];

    public static TheoryData<string, int> Examples()
    {
        TheoryData<string, int> data = [];
        foreach (string id in RulePage.Ids)
        {
            for (int index = 0; index < RulePage.Read(id).Examples.Count; index++)
            {
                data.Add(id, index);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Examples))]
    public void Every_example_gives_the_verdict_that_the_page_states(string id, int index)
    {
        PageExample example = RulePage.Read(id).Examples[index];

        Verdict verdict = example.Judge();

        Assert.Equal(example.Verdict, Lines(verdict));
    }

    [Fact]
    public void Every_rule_has_a_page_and_every_page_a_rule()
        => Assert.Equal(RuleCatalog.All.Select(rule => rule.Info.Id), RulePage.Ids);

    [Fact]
    public void Every_page_is_headed_by_its_rule_and_has_each_section()
    {
        foreach (IRule rule in RuleCatalog.All)
        {
            RulePage page = RulePage.Read(rule.Info.Id);

            Assert.Equal($"{rule.Info.Id} {rule.Info.Name}", page.Headings[0]);
            Assert.Empty(s_sections.Except(page.Headings));
        }
    }

    [Fact]
    public void Every_page_shows_the_rule_finding_its_pattern_and_staying_silent()
    {
        foreach (IRule rule in RuleCatalog.All)
        {
            bool[] found =
            [
                .. RulePage.Read(rule.Info.Id).Examples.Select(example => Triage.Judge(example.BuildCase()).Findings.Any(finding =>
                    finding.Rule.Id == rule.Info.Id)),
            ];

            Assert.Contains(true, found);
            Assert.Contains(false, found);
        }
    }

    private static IEnumerable<string> Lines(Verdict verdict)
    {
        yield return string.Join(' ', new[] { verdict.Kind.ToString(), verdict.Confidence?.ToString(), verdict.Rule?.Id }.OfType<string>());
        if (verdict.Culprit?.Thread is { } culprit)
        {
            yield return $"culprit {culprit}";
        }

        foreach (Party victim in verdict.Victims)
        {
            yield return victim.Task is { } task ? $"victim task {task}" : $"victim {victim.Thread}";
        }
    }
}
