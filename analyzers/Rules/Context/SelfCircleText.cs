using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Context;

/// <summary>Tells a circle in which one thread or task waits for what it has itself, or for what only it can bring on.</summary>
internal static class SelfCircleText
{
    /// <param name="context">The facts.</param>
    /// <param name="round">Once around, from the one.</param>
    public static Claim Of(RuleContext context, IReadOnlyList<WaitEdge> round)
    {
        Party waiter = Parties.Of(context, round[0].From);
        Party what = Parties.Of(context, round[0].To);
        return round switch
        {
            [{ To.Lock.Kind: LockKind.SemaphoreSlim }, { To.Thread: not null, Alternatives: 1 }] =>
                (Claim)$"{waiter} waits for {what}, whose one entry it has itself",
            [{ To.Lock.Kind: LockKind.SemaphoreSlim }, { To.Thread: not null, Alternatives: var all }] =>
                $"{all} threads have all {all} entries of {what}, and each waits for one more",
            [{ To.Lock: not null }, { To: { Task: not null } holder }, .., { Kind: EdgeKind.NeedsContext }] =>
                $"{waiter} waits for {what}, held by {Parties.Of(context, holder)}, which can only continue on that thread",
            [{ Kind: EdgeKind.WaitsForTransaction }] => $"{waiter} waits for a database in which it has a transaction open itself",
            _ => $"{waiter} waits for itself",
        };
    }
}
