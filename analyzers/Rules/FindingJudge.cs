using HangTriage.Facts.Time;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Time;

namespace HangTriage.Rules;

/// <summary>Puts an observation before the policy, with what earlier samples say of its threads and locks.</summary>
internal sealed class FindingJudge(RuleContext context, VerdictPolicy policy)
{
    private readonly Sign _ofCase = (context.Losses.Any() ? Sign.Loss : Sign.None)
        | (context.Case.IsSaidToHang ? Sign.SaidToHang : Sign.None)
        | (context.Still.Observers is not null ? Sign.NothingActs : Sign.None);

    public Finding Judge(Observation seen)
    {
        FindingHistory history = new(context, seen);
        Age? since = WaitAges.Of(context, seen);
        Sign signs = seen.Signs | _ofCase | (history.IsOverturned ? Sign.RunsInTrace : Sign.None) | WaitAges.SignsOf(context, seen, since);
        PolicyCase @case = new(seen.Pattern, seen.Links, seen.Limit, signs, history.Samples);
        PolicyRow row = policy.Decide(@case);
        Finding finding = new(seen, @case, row, Reason(row, history, since)) { Since = since };
        return row.Kind.IsHang()
            ? finding with { Evidence = [.. finding.Evidence, .. history.Lasts()], Contradictions = [.. finding.Contradictions, .. history.Movements(), .. history.Runs()] }
            : @case.Samples == Samples.PassedOn ? finding with { Evidence = [.. finding.Evidence, .. history.Movements()] }
            : row.Reason == Policy.Reason.RunsInTrace ? finding with { Evidence = [.. finding.Evidence, .. history.Runs()] }
            : finding;
    }

    private static string Reason(PolicyRow row, FindingHistory history, Age? since)
    {
        string words = ReasonText.Of(row.Reason);
        if (!words.Contains('{', StringComparison.Ordinal))
        {
            return words;
        }

        ThreadHistory? leading = history.Leading;
        return words
            .Replace("{then}", leading is null ? "in the earlier capture" : EarlierText.At(leading), StringComparison.Ordinal)
            .Replace("{cpu}", leading?.Cpu is { } cpu ? Durations.Of(cpu) : "some", StringComparison.Ordinal)
            .Replace("{age}", Durations.Of(since?.AtLeast ?? TimeSpan.Zero), StringComparison.Ordinal)
            .Replace("{moved}", history.WhatMoved, StringComparison.Ordinal)
            .Replace("{ran}", history.WhatRan, StringComparison.Ordinal);
    }
}
