using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>The loader's locks that one spinning thread holds, and those who wait for them, put into words.</summary>
internal sealed class LoaderSpin(RuleContext context, RuleInfo rule, LockFacts[] held, SpinSignals owner, LoaderWait[] victims)
{
    private readonly string _held = LoaderLocks.InWords(held);
    private readonly Claim _owner = Parties.Label(context, owner.Thread.OsId);
    private readonly Claim _loop = SpinText.Site(owner);
    private readonly string? _duty = SpinText.LoaderDuty(owner.Thread);

    public Observation Describe()
    {
        Claim spins = $"spins ({SpinText.Caught(owner)}{_loop}{(_duty is null ? string.Empty : $" during {_duty}")})";
        Claim others = victims.Length == 1 ? Claim.Empty : $" and {victims.Length - 1} more";
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.LoaderOwnerSpins,
            Links = victims.All(victim => victim.Trust == Trust.Scanned) ? LinkTrust.Guessed : LinkTrust.Concluded,
            Signs = owner.Signs,
            Title = $"{Parties.Label(context, victims[0].Thread.OsId)}{others} {(victims.Length == 1 ? "waits" : "wait")} for the loader; {_owner}, which {_held}, {spins}{SpinText.Burned(owner)}",
            Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = $"{_held} and {spins}{SpinText.Loop(owner)}" },
            Chain =
            [
                .. context.Graph.ChainFrom(WaitNode.Of(victims[0].Thread.OsId))
                    .TakeWhile(edge => edge.From.Thread != owner.Thread.OsId)
                    .Select(edge => Parties.Link(context, edge)),
            ],
            Victims = [.. victims.Select(victim => Parties.OfThread(context, victim.Thread.OsId) with { Role = RoleOf(victim) })],
            Evidence = [.. held.Select(LockEvidence), .. SpinText.Evidence(owner, _owner), .. victims.Select(VictimEvidence), DeadlockEvidence()],
            Contradictions = [.. SpinText.Contradictions(owner, _owner)],
            Gaps = SpinText.Gaps(owner),
            Advice =
            [
                $"Look at the loop{_loop}: what it waits for must not need the loader{(_duty is null ? "." : $", because it runs during {_duty}.")}",
                "Do not wait for other threads in DllMain or in thread-exit callbacks; stop the library's threads by its own shutdown call first.",
            ],
            Signature = Signature.Of(rule, owner.Thread.Stack.Frames),
        };
    }

    private Evidence LockEvidence(LockFacts @lock)
    {
        if (@lock.Id.Kind == LockKind.LoadInProgress)
        {
            return new Evidence($"{_owner} is marked as the load owner", "TEB.SameTebFlags", @lock.Owner.Trust) { Thread = owner.Thread.OsId };
        }

        Claim depth = @lock.Recursion.TryGet(out uint recursion) && recursion > 1 ? $", entered {recursion} times" : Claim.Empty;
        Claim waiters = @lock.WaiterCount.TryGet(out uint count) ? $"; it counts {Count.Of((int)count, "waiter")}" : Claim.Empty;
        string note = count == 0 && victims.Any(victim => !victim.IsOnLock)
            ? ", since on Windows 10 and later a load waits for the load owner inside the loader and not on this lock"
            : string.Empty;
        return new Evidence($"the loader lock is held by {_owner}{depth}{waiters}{note}", "loader lock", @lock.Owner.Trust)
        {
            Thread = owner.Thread.OsId,
            Address = @lock.Id.Address,
        };
    }

    private Evidence VictimEvidence(LoaderWait victim)
        => new($"{Parties.Label(context, victim.Thread.OsId)} {RoleOf(victim)}", victim.Source, victim.Trust)
        {
            Thread = victim.Thread.OsId,
            Frame = victim.Entry is null ? null : Claim.Of(victim.Entry),
        };

    private Evidence DeadlockEvidence()
        => new(
            $"it is a deadlock if the loop{_loop} waits for {Victim()}: {Victim()} cannot continue until the loader is free, and the loader stays held until the loop ends",
            "wait chain",
            Trust.Derived);

    private Claim Victim() => victims.Length == 1 ? Parties.Label(context, victims[0].Thread.OsId) : "one of the threads that wait";

    private static Claim RoleOf(LoaderWait victim)
    {
        string entry = victim.Entry?.Method is { } method ? $" in {method}" : string.Empty;
        return victim.IsOnLock ? $"waits{entry} for the loader lock" : $"waits{entry} for the load owner";
    }
}
