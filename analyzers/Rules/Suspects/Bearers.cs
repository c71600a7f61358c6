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
    /// <param name="reach">Who can end the wait.</param>
    /// <param name="waiter">The thread that waits: that it has what it waits for in hand says nothing.</param>
    public (Party Last, Claim Text)? Of(WaitReach? reach, ThreadId? waiter = null)
        => Find(reach, waiter) is [.., var last] all
            ? (last.Party, all.Aggregate(Claim.Empty, (before, bearer) => $"{before}; who has that in hand waits, too: {bearer.Text}"))
            : null;

    /// <summary>The first of them whose own wait ends by itself; null where none is seen. What he has in hand he gives behind it.</summary>
    /// <param name="reach">Who can end the wait.</param>
    /// <param name="continues">An async method's wait ends by itself.</param>
    public Claim? FirstThatContinues(WaitReach? reach, Func<FlowGroup, bool> continues)
        => Find(reach).FirstOrDefault(bearer
            => bearer.Flow is { } flow ? continues(flow)
                : bearer.Thread is { } id
                    && (Workers.IsAwake(context, id) || context.Fates.Of(WaitNode.Of(id)) == Fate.Progresses))?.Text;

    private List<Bearer> Find(WaitReach? reach, ThreadId? waiter = null)
    {
        List<Bearer> found = [];
        HashSet<ReachHolder> seen = [];
        for (ReachHolder? next = reach?.Bearer; next is not null && seen.Add(next) && found.Count < Most;)
        {
            if (waiter is not null && next.Thread == waiter)
            {
                break;
            }

            // Alike ones that wait for each other's say no more than the first.
            if ((next.Thread is { } id ? OfThread(id) : OfFlow(next.Flow)) is not { } known
                || (known.Flow is not null && found.Exists(before => before.Flow == known.Flow)))
            {
                break;
            }

            found.Add(known);
            next = known.Reach?.Bearer;
        }

        return found;
    }

    private Bearer? OfFlow(Address? flow)
        => context.Flows.Of(flow) is { } group
            ? new Bearer(Parties.OfFlow(group), FlowText.WithCaller(group), group.Waits.Reach) { Flow = group }
            : null;

    private Bearer? OfThread(ThreadId id)
        => context.Find(id) is { } thread
            ? new Bearer(
                Parties.OfThread(context, id),
                $"{Parties.Label(context, id)} waits in {WaitPlace.InProgram(thread.Thread) ?? "a place that is unknown"}",
                new WorkUnderWay(context).ReachesOf(id).FirstOrDefault(reach => reach is not null)) { Thread = id }
            : null;

    private sealed record Bearer(Party Party, Claim Text, WaitReach? Reach)
    {
        public FlowGroup? Flow { get; init; }

        public ThreadId? Thread { get; init; }
    }
}
