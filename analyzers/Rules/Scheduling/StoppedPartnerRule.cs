using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread was readied regularly, and then never again: who used to ready it, and what that thread does since.</summary>
public sealed class StoppedPartnerRule : IRule
{
    private const int LongestChain = 16;

    public RuleInfo Info { get; } = new("HT7006", "stopped partner",
        "A trace shows a thread that another readied regularly, and then never again.")
    {
        Patterns = Pattern.PartnerStopped,
        Needs = Need.Threads,
        JudgesTraceAlone = true,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TraceNeeds.MissingAlone(context) is { } missing)
        {
            return missing;
        }

        Dictionary<ThreadId, StoppedPartner> stopped = context.Traced.Of(context.Threads)
            .Select(StoppedPartner.Of)
            .OfType<StoppedPartner>()
            .ToDictionary(one => one.Waiter.OsId);
        return RuleOutcome.Of(
        [
            .. stopped.Values
                .Select(one => Follow(context, one, stopped))
                .Where(chain => IsStopped(context, chain[^1]))
                .DistinctBy(chain => chain[0].Waiter.OsId)
                .GroupBy(chain => KeyOf(chain[^1]))
                .Select(group
                    => Describe(context, [.. group.OrderByDescending(chain => chain.Count).ThenBy(chain => chain[0].Waiter.OsId)])),
        ]);
    }

    private static string KeyOf(StoppedPartner end) => end.Usual.Thread.TryGet(out ThreadId id) && !end.Usual.IsDeferred
        ? $"{id}" : $"by {end.Waiter.OsId}";

    // From the waiter to who used to ready it, to who used to ready that one.
    private static IReadOnlyList<StoppedPartner> Follow(RuleContext context, StoppedPartner first, Dictionary<ThreadId,
        StoppedPartner> stopped)
    {
        List<StoppedPartner> chain = [first];
        HashSet<ThreadId> met = [first.Waiter.OsId];
        while (chain.Count < LongestChain
            && chain[^1].Partner(context.Trace!.Facts) is { } partner
            && stopped.TryGetValue(partner.OsId, out StoppedPartner? next)
            && met.Add(partner.OsId))
        {
            chain.Add(next);
        }

        // Two that readied each other: who waited first was not readied by the other in its last turn.
        return chain.Count > 1 && chain[^1].Partner(context.Trace!.Facts)?.OsId == first.Waiter.OsId
            ? [chain.OrderBy(one => one.Wait.From).ThenBy(one => one.Waiter.OsId).First()] : chain;
    }

    // A partner that takes its turns elsewhere has nothing for this thread to do.
    private static bool IsStopped(RuleContext context, StoppedPartner end)
        => end.Partner(context.Trace!.Facts) is not { } partner ? end.Usual.IsDeferred || !end.Usual.Thread.HasValue
            : partner.IsEndSeen || Runs(partner, end.Wait) || IsOutside(context, partner)
                || (partner.LongestWait is { IsOpen: true, Length: var length } && length >= Thresholds.SilenceForLong);

    private static bool IsOutside(RuleContext context, TraceThread partner)
        => !partner.Pid.Is(pid => context.Snapshot.Target.Pid.Is(own => own == pid));

    private static bool Runs(TraceThread partner, TraceWait wait)
        => RunWithin.AtLeast(partner, wait.From, wait.Length) >= wait.Length * Thresholds.RanAllTheWhile;

    // Linux writes of a timer or a device that whoever runs readied the thread: one that runs all the time gets many of those.
    private static bool MayBeTimer(RuleContext context, StoppedPartner end, TraceThread partner)
        => context.Trace!.Facts.Kind == TraceKind.Perf
            && (IsOutside(context, partner) || Runs(partner, end.Wait))
            && !Partners.Has(partner, end.Waiter.OsId);

    private static Sign SignsOf(RuleContext context, StoppedPartner end, TraceThread? partner)
        => partner is not null && MayBeTimer(context, end, partner) ? Sign.FromOutside
            : partner is null ? end.IsOfTimer ? Sign.None : Sign.FromOutside
            : IsOutside(context, partner) ? Sign.PartnerOutside
            : partner.IsEndSeen ? Sign.PartnerEnded
            : Runs(partner, end.Wait) ? Sign.PartnerRuns
            : Sign.None;

    private static Claim Since(RuleContext context, StoppedPartner end, TraceThread? partner)
        => partner is null ? "has not done so since"
            : partner.IsEndSeen ? $"has ended, at {AloneText.At(partner.To)}"
            : Runs(partner, end.Wait) ? $"has run since{(TracePlace.Of(partner) is { } place ? $", in {place.Name}" : string.Empty)}"
            : partner.LongestWait is { IsOpen: true } wait
                ? $"has waited since {AloneText.At(wait.From)}{(wait.Reason.TryGet(out string? why) ? $" ({why})" : string.Empty)}"
            : IsOutside(context, partner) ? "has not done so since, and takes its turns"
            : "has not done so since";

    private Observation Describe(RuleContext context, IReadOnlyList<IReadOnlyList<StoppedPartner>> chains)
    {
        StoppedPartner[] chain = [.. chains[0]];
        StoppedPartner first = chain[0];
        StoppedPartner end = chain[^1];
        TraceThread? partner = end.Partner(context.Trace!.Facts);
        bool depended = chains.Any(one => one[0].HasOthersBehind(context.Trace.Facts));
        Claim label = Parties.Label(context, first.Waiter.OsId);
        Claim by = AloneText.Name(context, end.Usual);
        Claim since = Since(context, end, partner);
        string more = chains.Count > 1 ? $" and {Count.More(chains.Count - 1)} wait" : " waits";
        Party culprit = partner is null || IsOutside(context, partner)
            ? Parties.OfThread(context, end.Waiter.OsId) : Parties.OfThread(context, partner.OsId);
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.PartnerStopped,
            Links = LinkTrust.Concluded,
            Signs = SignsOf(context, end, partner) | (depended ? Sign.Depended : Sign.None),
            Title = $"{label}{more} since {AloneText.At(first.Wait.From)} to the trace's end; {by}, which readied {(chain.Length > 1 ? "the last of the chain" : "it")} {Times(end.Usual)} before, {since}",
            Culprit = culprit with { Role = partner is null || IsOutside(context, partner) ? (Claim)$"waits; {by} {since}" : since },
            Chain = [.. chain.Where(one => one.Usual.Thread.HasValue && !one.Usual.IsDeferred)
                .Select(one => Link(context, one))],
            Victims = [.. chains.Select(one => one[0].Waiter.OsId).Where(id => id != culprit.Thread)
                .Select(id => Parties.OfThread(context, id))],
            Evidence = [.. chain.SelectMany(one => Evidence(context, one))],
            Advice = [$"Look at what {by} did last, at {AloneText.At(end.Usual.Last)}, and since.", AloneText.TakeDump(context)],
            Signature = HangSignature.Of(Info.Id, [[first.Wait.Reason.TryGet(out string? why) ? why : "?"]]),
        };
    }

    private static ChainLink Link(RuleContext context, StoppedPartner one)
        => new(Parties.OfThread(context, one.Waiter.OsId), "was regularly readied, and is no more, by",
            Parties.OfThread(context, one.Usual.Thread.Value));

    private static IEnumerable<Evidence> Evidence(RuleContext context, StoppedPartner one)
    {
        Claim label = Parties.Label(context, one.Waiter.OsId);
        Claim by = AloneText.Name(context, one.Usual);
        yield return AloneText.Of(one.Waiter,
            $"{by} readied {label} {Times(one.Usual)}, from {AloneText.At(one.Usual.First)} to {AloneText.At(one.Usual.Last)}, with {Durations.Of(one.Usual.LongestBetween)} between at most");
        string reason = one.Wait.Reason.TryGet(out string? why) ? $" ({why})" : string.Empty;
        yield return AloneText.Of(one.Waiter,
            $"{label} has waited since {AloneText.At(one.Wait.From)}{reason}, for {Durations.Of(one.Wait.Length)}, and nobody readied it before the trace's end");
        if (one.Partner(context.Trace!.Facts) is { } partner)
        {
            yield return AloneText.Of(partner, $"{by} {Since(context, one, partner)}");
        }
    }

    private static string Times(TracePartner partner) => string.Create(CultureInfo.InvariantCulture, $"{partner.Count:#,0} times");
}
