using HangTriage.Facts;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>A gap in each place of the facts: it is seen, it never looks healthy, and it makes no verdict surer.</summary>
public sealed class EachGapTests
{
    private static readonly VerdictKind[] s_kinds =
    [
        VerdictKind.Deadlock, VerdictKind.SpinningOwner, VerdictKind.BusyOwner, VerdictKind.Orphaned, VerdictKind.NeverCompleted, VerdictKind.Starvation, VerdictKind.RuntimeStall,
        VerdictKind.BlockedOnExternal, VerdictKind.Corruption, VerdictKind.SlowWait, VerdictKind.NotHung, VerdictKind.BusyNotHung, VerdictKind.Inconclusive,
    ];

    public static TheoryData<string> Samples() => [.. GapSamples.Names];

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_gap_shows_in_every_format(string sample)
    {
        Case @case = GapSamples.Read(sample);

        string[] lost =
        [
            .. from place in GapPlaces.Of(@case, Triage.Judge(@case).Verdict).DistinctBy(place => place.Path)
               from report in GapReports.Of(Triage.Judge(place.Probed()), TextReportOptions.Whole)
               where !report.Text.Contains(place.Probe.What, StringComparison.Ordinal) || !report.Text.Contains(place.Probe.Why, StringComparison.Ordinal)
               select $"{place.Path} in {report.Format}",
        ];

        Assert.True(lost.Length == 0, string.Join("\n", lost));
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_gap_never_looks_healthy_and_makes_no_verdict_surer(string sample)
    {
        Case @case = GapSamples.Read(sample);
        TriageResult before = Triage.Judge(@case);

        string[] wrongs =
        [
            .. GapPlaces.Of(@case, before.Verdict).SelectMany(place => GapCheck.Wrongs(before, Triage.Judge(place.Probed()), place.Probe)),
        ];

        Assert.True(wrongs.Length == 0, string.Join("\n", wrongs.Distinct()));
    }

    [Fact]
    public void The_samples_have_verdicts_of_every_kind()
        => Assert.Empty(s_kinds.Except(GapSamples.Names.Select(name => Triage.Judge(GapSamples.Read(name)).Verdict.Kind)));
}
