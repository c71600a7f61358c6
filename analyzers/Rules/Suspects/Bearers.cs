using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>Follows a wait to who has in hand what is waited for and waits himself, and from him on.</summary>
internal sealed class Bearers(RuleContext context)
{
    private const int Most = 8;

    /// <summary>The last of them, and all as the end of a sentence about the wait; null where none is seen.</summary>
    public (Party Last, Claim Text)? Of(WaitReach? reach)
        => Find(reach) is [.., var last] all
            ? (last.Party, all.Aggregate(Claim.Empty, (before, bearer) => $"{before}; who has that in hand waits, too: {bearer.Text}"))
            : null;

    private List<(Party Party, Claim Text)> Find(WaitReach? reach)
    {
        List<(Party Party, Claim Text)> found = [];
        HashSet<ReachHolder> seen = [];
        for (ReachHolder? next = reach?.Bearer; next is not null && seen.Add(next) && found.Count < Most;)
        {
            (Party Party, Claim Text, WaitReach? Reach)? at = next.Thread is { } id ? OfThread(id) : OfFlow(next.Flow);
            if (at is not { } known)
            {
                break;
            }

            found.Add((known.Party, known.Text));
            next = known.Reach?.Bearer;
        }

        return found;
    }

    private (Party Party, Claim Text, WaitReach? Reach)? OfFlow(Address? flow)
        => context.Flows.Groups.FirstOrDefault(group => group.Sample == flow) is { } group
            ? (Parties.OfFlow(group), FlowText.WithCaller(group), group.Waits.Reach)
            : null;

    private (Party Party, Claim Text, WaitReach? Reach)? OfThread(ThreadId id)
        => context.Find(id) is { } thread
            ? (Parties.OfThread(context, id),
                (Claim)$"{Parties.Label(context, id)} waits in {WaitPlace.InProgram(thread.Thread) ?? "a place that is unknown"}",
                context.WaitsOf(id).Select(wait => wait.Reach).FirstOrDefault(reach => reach is not null))
            : null;
}
