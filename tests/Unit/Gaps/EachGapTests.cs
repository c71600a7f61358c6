using HangTriage.Facts;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

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

    /// <summary>All formats print what <see cref="GapModel"/> looks at; that they do, the tests below show.</summary>
    [Theory]
    [MemberData(nameof(Samples))]
    public void A_gap_reaches_the_reports_never_looks_healthy_and_makes_no_verdict_surer(string sample)
    {
        Case @case = GapSamples.Read(sample);
        TriageResult before = Triage.Judge(@case);

        string[] wrongs = [.. GapPlaces.Of(@case, before.Verdict).SelectMany(place => Wrongs(before, place))];

        Assert.True(wrongs.Length == 0, string.Join("\n", wrongs.Distinct()));
    }

    [Fact]
    public void Every_format_prints_a_gap_of_every_place()
    {
        HashSet<string> paths = [];

        string[] lost =
        [
            .. from sample in GapSamples.Names
               let @case = GapSamples.Read(sample)
               from place in GapPlaces.Of(@case, Triage.Judge(@case).Verdict)
               where paths.Add(place.Path)
               from wrong in Lost(Triage.Judge(place.Probed()), place.Probe)
               select $"{place.Path} in {wrong}",
        ];

        Assert.True(lost.Length == 0, string.Join("\n", lost));
    }

    /// <summary>One that the verdict names, and one that it does not.</summary>
    [Fact]
    public void Every_format_prints_the_gaps_of_every_kind_of_verdict()
    {
        Gap named = new("probe of the verdict", GapPlace.Why);
        Gap beside = new("probe of the rest", GapPlace.Why);
        TriageResult[] results =
        [
            .. GapSamples.Names.Select(GapSamples.Read)
                .Select(@case => Triage.Judge(Probed(@case, named, beside)))
                .DistinctBy(KindOf),
        ];

        Assert.Contains(results, result => result.Verdict.Kind == VerdictKind.NotHung);
        Assert.Empty(
            from result in results
            from gap in new[] { named, beside }
            from format in Lost(result, gap)
            select $"{gap.What} of {result.Verdict.Kind} in {format}");
    }

    [Fact]
    public void The_samples_have_verdicts_of_every_kind()
        => Assert.Empty(s_kinds.Except(GapSamples.Names.Select(name => Triage.Judge(GapSamples.Read(name)).Verdict.Kind)));

    private static IEnumerable<string> Wrongs(TriageResult before, GapPlace place)
    {
        TriageResult after = Triage.Judge(place.Probed());
        return GapCheck.Wrongs(before, after, place.Probe).Concat(GapModel.Has(after, place.Probe) ? [] : [$"{place.Path} is lost"]);
    }

    private static (VerdictKind, Confidence?, bool, int, bool) KindOf(TriageResult result)
        =>
        (
            result.Verdict.Kind, result.Verdict.Confidence, result.Verdict.Suspects.Count > 0,
            result.Case.Samples.Count, result.Case.Trace is null
        );

    private static IEnumerable<string> Lost(TriageResult result, Gap probe)
        => GapReports.Of(result, TextReportOptions.Whole)
            .Where(report => !new[] { probe.What, probe.Why }.All(words => report.Text.Contains(words, StringComparison.Ordinal)))
            .Select(report => report.Format);

    private static Case Probed(Case @case, Gap named, Gap beside)
    {
        ProcessSnapshot last = @case.Last with
        {
            Gaps = [.. @case.Last.Gaps, named],
            Target = @case.Last.Target with { ProcessorCount = Known<uint>.Unknown(beside) },
        };
        return Case.Of([.. @case.Samples.SkipLast(1), last]).WithTraceOf(@case);
    }
}
