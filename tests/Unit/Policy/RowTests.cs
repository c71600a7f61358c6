using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Every row of the policy decides a case, and a changed row changes the verdicts of its cases alone.</summary>
public sealed class RowTests
{
    private static readonly VerdictPolicy s_standard = VerdictPolicy.Standard;

    private static readonly Lazy<IReadOnlyList<(string Name, Case Case, TriageResult Result)>> s_judged =
        new(() => [.. PolicyCases.All.Select(pair => (pair.Key, pair.Value, Triage.Judge(pair.Value)))]);

    public static TheoryData<int> Rows { get; } = [.. Enumerable.Range(0, VerdictPolicy.Standard.Rows.Count)];

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_row_that_no_case_reaches_fails(int index)
    {
        PolicyRow row = VerdictPolicy.Standard.Rows[index];

        Assert.True(s_judged.Value.Any(judged => Uses(judged.Result, row)), $"row {index} has no case: {row}");
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
    public void A_changed_row_changes_the_verdicts_of_its_cases(int index)
    {
        PolicyRow row = VerdictPolicy.Standard.Rows[index];
        VerdictPolicy policy = With(other => ReferenceEquals(other, row) ? Changed(row) : other);

        Assert.Empty(s_judged.Value
            .Where(judged => Uses(judged.Result, row) && !Differ(judged.Result, policy))
            .Select(judged => judged.Name));
    }

    /// <summary>All other rows are changed at once, which shows of each that it decides nothing here.</summary>
    [Fact]
    public void Changed_rows_change_the_verdicts_of_no_other_cases()
        => Assert.Empty(
            from judged in s_judged.Value
            let policy = With(row => Uses(judged.Result, row) ? row : ChangedBeside(row))
            where Differ(judged.Result, policy)
            select judged.Name);

    /// <summary>
    /// A row may count without deciding, where it is the only one that lets the blindness of a rule forbid health: none of these
    /// cases rests on that.
    /// </summary>
    [Fact]
    public void A_changed_row_by_which_blindness_counts_no_more_changes_no_other_cases()
        => Assert.Empty(
            from row in VerdictPolicy.Standard.Rows
            let policy = With(other => ReferenceEquals(other, row) ? Changed(row) : other)
            from isSaidToHang in new[] { false, true }
            where RuleCatalog.All.Any(rule => CanForbid(policy, rule, isSaidToHang) != CanForbid(s_standard, rule, isSaidToHang))
            from judged in s_judged.Value
            where judged.Case.IsSaidToHang == isSaidToHang && !Uses(judged.Result, row) && Differ(judged.Result, policy)
            select $"{judged.Name}: {row}");

    [Fact]
    public void A_row_that_becomes_a_hang_makes_the_blindness_of_its_rule_count()
    {
        Case unknownTimes = Case.Of(SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { Cpu = null, Life = null }, "ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "worker!poll").Build());
        PolicyRow row = VerdictPolicy.Standard.Rows.Last(row => row.Patterns == Pattern.ComputesAlone);
        VerdictPolicy policy = With(other => ReferenceEquals(other, row) ? row with { Kind = VerdictKind.BusyOwner } : other);

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(unknownTimes).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(unknownTimes, RuleCatalog.All, policy).Verdict.Kind);
    }

    // What is a hang stays one, and what is none stays none: from a row that becomes a hang it follows that its rule can hide
    // one where it is blind, which changes the verdicts of cases that the rule says nothing of. The test above is for that.
    private static PolicyRow Changed(PolicyRow row)
        => row.Kind.IsHang() ? row with { Kind = row.Kind == VerdictKind.Outranked ? VerdictKind.Corruption : VerdictKind.Outranked, Confidence = Confidence.Possible }
            : row with { Kind = row.Kind == VerdictKind.NotHung ? VerdictKind.BusyNotHung : VerdictKind.NotHung, Confidence = Confidence.Certain };

    // A row that leaves it open keeps its kind, on which it rests whether the blindness of its rule counts: many changed at once
    // would change that.
    private static PolicyRow ChangedBeside(PolicyRow row)
        => row.Kind != VerdictKind.Inconclusive ? Changed(row)
            : row with { Reason = row.Reason == Reason.NothingFound ? Reason.WhatIsMissing : Reason.NothingFound };

    private static VerdictPolicy With(Func<PolicyRow, PolicyRow> change) => new([.. VerdictPolicy.Standard.Rows.Select(change)]);

    private static bool CanForbid(VerdictPolicy policy, IRule rule, bool isSaidToHang)
        => policy.CanForbidHealth(rule.Info.Patterns, isSaidToHang);

    private static bool Uses(TriageResult result, PolicyRow row)
        => ReferenceEquals(result.Row, row) || result.Findings.Any(finding => ReferenceEquals(finding.Row, row));

    private static bool Differ(TriageResult one, VerdictPolicy policy)
    {
        TriageResult other = Triage.Judge(one.Case, RuleCatalog.All, policy);
        return Heading(one.Verdict) != Heading(other.Verdict)
            || !one.Findings.Select(Heading).Order().SequenceEqual(other.Findings.Select(Heading).Order());
    }

    private static (string? Rule, string Title, VerdictKind Kind, Confidence? Confidence, string Reason) Heading(Verdict verdict)
        => (verdict.Rule?.Id, verdict.Title.Text, verdict.Kind, verdict.Confidence, verdict.ConfidenceReason);

    private static (string Rule, string Title, VerdictKind Kind, Confidence? Confidence, string Reason) Heading(Finding finding)
        => (finding.Rule.Id, finding.Title.Text, finding.Kind, finding.Confidence, finding.ConfidenceReason);
}
