using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>Who readied whom, again and again.</summary>
internal static class Partners
{
    /// <summary>That one readied this thread regularly.</summary>
    public static bool Has(TraceThread thread, ThreadId by)
        => thread.Partners.Any(partner => !partner.IsDeferred && partner.Count >= Thresholds.RegularTurns && partner.Thread.Is(id => id == by));

    /// <summary>The thread of the same process that readied this one most; where there is none, whoever did nearly always.</summary>
    public static TracePartner? Usual(TraceThread thread)
    {
        TracePartner[] own = [.. thread.Partners.Where(partner => !partner.IsDeferred && partner.Thread.HasValue && IsOfProcess(thread, partner))];
        return Main(own) ?? Main(thread.Partners);
    }

    private static TracePartner? Main(IReadOnlyList<TracePartner> partners)
        => partners.MaxBy(partner => partner.Count) is { } most
            && most.Count >= Thresholds.RegularTurns
            && most.Count >= partners.Sum(partner => partner.Count) * Thresholds.UsualShare ? most : null;

    private static bool IsOfProcess(TraceThread thread, TracePartner partner)
        => partner.Pid.Is(pid => thread.Pid.Is(own => own == pid));
}
