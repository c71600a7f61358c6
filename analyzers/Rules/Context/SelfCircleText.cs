using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

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
            [{ To.Lock: not null }, { To.Task: not null }, .., { From: { Task: not null } by, To.Lock: { } own }, { To.Thread: not null }]
                => $"{waiter} waits for {what}, {HeldBy(context, by, own)}, held by that thread",
            [{ To.Lock: not null }, { Kind: EdgeKind.HeldBy, To: { Task: not null } holder }, .., { Kind: EdgeKind.CompletedBy }] =>
                $"{waiter} waits for {what}, held by {Parties.Of(context, holder)}, which waits for what that thread has",
            [{ Kind: EdgeKind.WaitsForTransaction }] => $"{waiter} waits for a database in which it has a transaction open itself",
            _ => $"{waiter} waits for itself",
        };
    }

    private static Claim HeldBy(RuleContext context, WaitNode holder, LockId waitsFor)
        => $"held by {Parties.Of(context, holder)}, which waits for {LockOf(context, waitsFor)}";

    // One that async methods alone wait for is known by the field that they have it from.
    private static Claim LockOf(RuleContext context, LockId id)
        => context.Find(id) is null
            && context.Flows.Groups.FirstOrDefault(group => group.Waits.Kind == FlowWaitKind.Semaphore && group.Waits.Address == id.Address)
                is { Waits.Label: { } field }
                ? (Claim)$"SemaphoreSlim {MethodText.Short(field)}"
                : Parties.Label(context, id);
}
