using System.Reflection;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.RulePages;

/// <summary>The numbers that decide: each says why, is used, and is what the pages of the rules say that it is.</summary>
public sealed partial class ThresholdTests
{
    private static readonly FieldInfo[] s_fields = typeof(Thresholds).GetFields(BindingFlags.Public | BindingFlags.Static);

    public static TheoryData<string, string> Quotes()
    {
        TheoryData<string, string> data = [];
        foreach (FieldInfo field in s_fields)
        {
            foreach (QuotedAttribute quote in field.GetCustomAttributes<QuotedAttribute>())
            {
                foreach (string page in quote.Pages)
                {
                    data.Add(page, quote.Words.Replace("{0}", ThresholdText.Of(field.GetValue(null)), StringComparison.Ordinal));
                }
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Quotes))]
    public void A_page_quotes_the_value_that_decides(string page, string words)
        => Assert.Contains(words, OneLine(File.ReadAllText(Path.Combine(Repository.Root, "docs", "rules", page + ".md"))), StringComparison.OrdinalIgnoreCase);

    [Fact]
    public void Each_threshold_has_a_unit_a_reason_and_a_value_that_can_be_written()
        => Assert.All(s_fields, field =>
        {
            ThresholdAttribute? threshold = field.GetCustomAttribute<ThresholdAttribute>();
            Assert.NotNull(threshold);
            Assert.NotEmpty(threshold.Unit);
            Assert.NotEmpty(threshold.Reason);
            Assert.NotEmpty(ThresholdText.Of(field.GetValue(null)));
            Assert.All(field.GetCustomAttributes<QuotedAttribute>(), quote => Assert.Contains("{0}", quote.Words, StringComparison.Ordinal));
        });

    // Constants leave no trace in what is compiled, so the source tells.
    [Fact]
    public void Each_threshold_is_used()
    {
        HashSet<string> used =
        [
            .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "analyzers"), "*.cs", SearchOption.AllDirectories)
                .SelectMany(file => Use().Matches(File.ReadAllText(file)))
                .Select(match => match.Groups[1].Value),
        ];

        Assert.Empty(s_fields.Select(field => field.Name).Except(used));
    }

    private static string OneLine(string text) => Whitespace().Replace(text, " ");

    [GeneratedRegex(@"\s+")]
    private static partial Regex Whitespace();

    [GeneratedRegex(@"\bThresholds\.(\w+)")]
    private static partial Regex Use();
}
