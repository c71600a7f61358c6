using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Every row of the policy decides a case, and a changed row changes the verdicts of its cases alone.</summary>
public sealed class RowTests
{
    private static readonly Lazy<IReadOnlyList<(string Name, Case Case, TriageResult Result)>> s_judged =
        new(() => [.. PolicyCases.All.Select(pair => (pair.Key, pair.Value, Triage.Judge(pair.Value)))]);

    public static TheoryData<int> Rows { get; } = [.. Enumerable.Range(0, VerdictPolicy.Standard.Rows.Count)];

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_row_that_no_case_reaches_fails(int index)
    {
        PolicyRow row = VerdictPolicy.Standard.Rows[index];

        Assert.True(CasesOf(row).Any(), $"row {index} has no case: {row}");
    }

    [Fact]
    public void A_pattern_of_a_row_that_no_case_reaches_fails()
    {
        HashSet<(PolicyRow Row, Pattern Pattern)> reached =
        [
            .. s_judged.Value.SelectMany(judged => judged.Result.Findings).Select(finding => (finding.Row!, finding.Case!.Pattern)),
            .. s_judged.Value.Where(judged => judged.Result.Verdict.Rule is null).Select(judged => (judged.Result.Row!, judged.Result.Row!.Patterns)),
        ];

        Assert.Empty(
            from row in VerdictPolicy.Standard.Rows
            from pattern in Enum.GetValues<Pattern>()
            where pattern is not (Pattern.None or Pattern.NothingFound or Pattern.NothingFoundHalfBlind) && row.Patterns.HasFlag(pattern)
            where !reached.Contains((row, pattern))
            select $"{pattern}: {row}");
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_changed_row_changes_the_verdicts_of_its_cases_and_no_others(int index)
    {
        PolicyRow row = VerdictPolicy.Standard.Rows[index];
        VerdictPolicy policy = With(row, Changed(row));

        HashSet<string> expected = [.. CasesOf(row)];
        string[] actual = [.. s_judged.Value.Where(judged => Differ(judged.Result, Triage.Judge(judged.Case, RuleCatalog.All, policy))).Select(judged => judged.Name)];

        Assert.Equal(expected.Order(StringComparer.Ordinal), actual.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_row_that_becomes_a_hang_makes_the_blindness_of_its_rule_count()
    {
        Case unknownTimes = Case.Of(SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { Cpu = null, Life = null }, "ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "worker!poll").Build());
        PolicyRow row = VerdictPolicy.Standard.Rows.Last(row => row.Patterns == Pattern.ComputesAlone);
        VerdictPolicy policy = With(row, row with { Kind = VerdictKind.BusyOwner });

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(unknownTimes).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(unknownTimes, RuleCatalog.All, policy).Verdict.Kind);
    }

    // What is a hang stays one, and what is none stays none: from a row that becomes a hang it follows that its rule can hide
    // one where it is blind, which changes the verdicts of cases that the rule says nothing of. The test above is for that.
    private static PolicyRow Changed(PolicyRow row)
        => row.Kind.IsHang() ? row with { Kind = row.Kind == VerdictKind.Outranked ? VerdictKind.Corruption : VerdictKind.Outranked, Confidence = Confidence.Possible }
            : row with { Kind = row.Kind == VerdictKind.NotHung ? VerdictKind.BusyNotHung : VerdictKind.NotHung, Confidence = Confidence.Certain };

    private static VerdictPolicy With(PolicyRow row, PolicyRow changed)
        => new([.. VerdictPolicy.Standard.Rows.Select(other => ReferenceEquals(other, row) ? changed : other)]);

    private static IEnumerable<string> CasesOf(PolicyRow row)
        => s_judged.Value.Where(judged => judged.Result.Findings.Any(finding => ReferenceEquals(finding.Row, row)) || ReferenceEquals(judged.Result.Row, row))
            .Select(judged => judged.Name);

    private static bool Differ(TriageResult one, TriageResult other)
        => Heading(one.Verdict) != Heading(other.Verdict)
            || !one.Findings.Select(Heading).Order().SequenceEqual(other.Findings.Select(Heading).Order());

    private static (string? Rule, string Title, VerdictKind Kind, Confidence? Confidence, string Reason) Heading(Verdict verdict)
        => (verdict.Rule?.Id, verdict.Title.Text, verdict.Kind, verdict.Confidence, verdict.ConfidenceReason);

    private static (string Rule, string Title, VerdictKind Kind, Confidence? Confidence, string Reason) Heading(Finding finding)
        => (finding.Rule.Id, finding.Title.Text, finding.Kind, finding.Confidence, finding.ConfidenceReason);
}
