using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>What a gap must not do to a verdict.</summary>
internal static class GapCheck
{
    private static readonly string[] s_ofComparing = [" Earlier.", " Target.Pid", " Target.CapturedAt"];

    /// <summary>Each thing that is wrong; empty where all is well.</summary>
    /// <remarks>
    /// A time limit is the one fact whose gap may lead to a hang that is likely, never to one that is certain: most waits for
    /// locks have none, runtimes often record none, and the policy says "likely, the time limit is unknown" of such a wait.
    /// </remarks>
    public static IEnumerable<string> Wrongs(TriageResult before, TriageResult after, Gap probe)
    {
        string change = $"{probe.What}: {Heading(before.Verdict)} became {Heading(after.Verdict)}";
        if (IsHealthy(after.Verdict) && !IsHealthy(before.Verdict) && !IsNamedAtWork(after.Verdict) && !IsOneSample(before, probe))
        {
            yield return change;
        }

        // That the process has crashed is true whatever a rule for hangs could not see.
        if (IsHealthy(after.Verdict) && after.Row?.Patterns != Pattern.Crashed
            && after.Rules.FirstOrDefault(report => CanHideAHang(report) && report.Outcome.Gaps.Any(gap => Names(gap, probe))) is { } blind)
        {
            yield return $"{change} though {blind.Rule.Id} is blind for it";
        }

        bool isTimeLimit = probe.What.EndsWith(".Timeout", StringComparison.Ordinal) && after.Verdict.Confidence != Confidence.Certain;
        if (IsSureHang(after.Verdict) && !WasSeen(before, after.Verdict) && !isTimeLimit)
        {
            yield return change;
        }
    }

    public static bool IsHealthy(Verdict verdict) => verdict.Kind is VerdictKind.NotHung or VerdictKind.BusyNotHung;

    // It names the thread, and says that one capture cannot show whether its work ends.
    private static bool IsNamedAtWork(Verdict verdict)
        => verdict is { Kind: VerdictKind.BusyNotHung, Confidence: Confidence.Possible, Rule.Id: "HT4004" };

    // An earlier sample that cannot be compared is none, and what it alone had shown is not known: the verdict is the judged sample's own.
    private static bool IsOneSample(TriageResult before, Gap probe)
        => s_ofComparing.Any(path => probe.What.Contains(path, StringComparison.Ordinal)) && before.Case.Samples.Count > 1
            && IsHealthy(Triage.Judge(before.Case.Last).Verdict);

    private static bool IsSureHang(Verdict verdict) => verdict.Kind.IsHang() && verdict.Confidence < Confidence.Possible;

    // The verdict of before, or what stood behind it, no less sure; or what the judged sample says alone, where an earlier one or a
    // trace that speaks against it can be joined no more: one sample is the ordinary case.
    private static bool WasSeen(TriageResult before, Verdict after)
        => HasFound(before, after) || ((before.Case.Samples.Count > 1 || before.Case.Trace is not null) && HasFound(Triage.Judge(before.Case.Last), after));

    private static bool HasFound(TriageResult before, Verdict after)
        => before.Findings.Any(finding => finding.Kind == after.Kind && finding.Rule == after.Rule && finding.Confidence <= after.Confidence);

    private static bool CanHideAHang(RuleReport report) => report.Outcome.IsBlind && VerdictPolicy.Standard.CanForbidHealth(report.Rule.Patterns, isSaidToHang: false);

    private static bool Names(Gap gap, Gap probe) => gap.ToString().Contains(probe.Why, StringComparison.Ordinal);

    private static string Heading(Verdict verdict) => $"{verdict.Kind} {verdict.Confidence} {verdict.Rule?.Id}";
}
