using System.Globalization;
using System.Text;
using HangTriage.Facts;

namespace HangTriage.Rules.Policy;

/// <summary>Prints the policy for people who know hangs and no C#: what was seen, and what follows.</summary>
public static class PolicyText
{
    private static readonly string s_preamble = string.Create(CultureInfo.InvariantCulture, $"""
        # The policy: how a verdict is made of what was seen

        Rules report what they see; this table alone says what follows. Under each pattern the first line that fits decides.
        Of several findings a hang comes before all else, then the surest; among equals those that hold up a user interface
        or the main thread, then those that hold up most threads. What could not be seen and matters makes "nothing found"
        inconclusive. A timeout of more than {Thresholds.LongestLimit.TotalSeconds} s counts as none,
        and one of more than {Thresholds.LongestLimitOfLock.TotalSeconds} s where it is known who is waited for.

        """);

    /// <summary>As Markdown that reads as plain text, too; lines end in LF.</summary>
    public static string Of(VerdictPolicy policy)
    {
        ArgumentNullException.ThrowIfNull(policy);
        StringBuilder text = new(s_preamble.ReplaceLineEndings("\n"));
        foreach (IGrouping<string, Pattern> patterns in AllPatterns().GroupBy(pattern => string.Concat(RowsOf(policy, pattern)), StringComparer.Ordinal))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n## {Capital(string.Join("; or ", patterns.Select(PatternText.Of)))}\n\n{patterns.Key}");
        }

        return text.ToString();
    }

    private static IEnumerable<Pattern> AllPatterns() => Enum.GetValues<Pattern>().Where(pattern => pattern != Pattern.None);

    private static IEnumerable<string> RowsOf(VerdictPolicy policy, Pattern pattern)
        => policy.Rows.Where(row => row.Patterns.HasFlag(pattern)).Select(row => $"- {Conditions(row)}: {Verdict(row)}, because {ReasonText.ForPeople(row.Reason)}\n");

    private static string Verdict(PolicyRow row)
        => row.Confidence is { } confidence ? $"{row.Kind}, {confidence.ToString().ToLowerInvariant()}" : row.Kind.ToString();

    private static string Conditions(PolicyRow row)
    {
        string[] parts =
        [
            .. new[] { PatternText.Of(row.Limit), PatternText.Of(row.Samples), PatternText.Of(row.Links) }.OfType<string>(),
            .. Enum.GetValues<Sign>().Where(sign => sign != Sign.None && row.Signs.HasFlag(sign)).Select(PatternText.Of),
        ];
        return parts.Length == 0 ? "else" : "if " + string.Join(", and ", parts);
    }

    private static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
