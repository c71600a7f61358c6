using System.Text.RegularExpressions;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>Words that have to be read twice are in no report and no page.</summary>
public sealed partial class WordsTests
{
    private static string Docs => Path.Combine(Repository.Root, "docs");

    [Fact]
    public void No_report_uses_them()
        => None(StoredSamples.Names.SelectMany(name => Found(name, StoredSamples.Text(name) + StoredSamples.Markdown(name))));

    [Fact]
    public void No_page_uses_them()
        => None(Directory.GetFiles(Docs, "*.md").Concat(Directory.GetFiles(Path.Combine(Docs, "rules"), "*.md")).Append(Path.Combine(Repository.Root, "README.md"))
            .SelectMany(file => Found(Path.GetFileName(file), File.ReadAllText(file))));

    [Fact]
    public void No_reason_and_no_rule_uses_them()
        => None(Enum.GetValues<Reason>().SelectMany(reason => Found(reason.ToString(), ReasonText.Of(reason)))
            .Concat(RuleCatalog.All.Select(rule => rule.Info).SelectMany(info => Found(info.Id, $"{info.Name}. {info.Summary}"))));

    private static void None(IEnumerable<string> found) => Assert.True(!found.Any(), string.Join('\n', found));

    private static IEnumerable<string> Found(string where, string text)
        => Bad().Matches(Spaces().Replace(text, " ")).Select(match => $"{where}: {match.Value}").Distinct();

    [GeneratedRegex(@"\b(time-outs?|gets on|get on|goes on|cannot go on|for ever|by all appearances|told from|untold|waits and waits|recorded nowhere|come to rest|\d+ thread more|a idle)\b|\bis in no capture\b")]
    private static partial Regex Bad();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
