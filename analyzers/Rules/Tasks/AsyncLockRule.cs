using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>Async methods wait for a semaphore of which every entry is taken, and nobody is seen who would give one back.</summary>
public sealed class AsyncLockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2011", "async lock that nobody releases", "Async methods wait for an entry of a SemaphoreSlim, and no method that could release it makes progress.")
    {
        Patterns = Pattern.AsyncLockLost,
        Needs = Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Managed?.Flows is not { } known)
        {
            return RuleOutcome.NotApplicable("the facts were captured without a look at async methods");
        }

        AsyncFlows flows = context.Flows;
        return known.Gap is { } gap ? RuleOutcome.Blind(gap)
            : RuleOutcome.Of([.. flows.Groups
                .Where(group => IsTaken(group) && !context.Timeline.HasMovedOn(group))
                .Where(group => group.Waits.Taker is not null || !(flows.IsInOtherHands(group) || flows.MayBeHeldByThread(group)))
                .Select(group => group.Waits.Taker is { } taker ? OfItself(group, taker) : Describe(group, flows.PastTheWait(group)))]);
    }

    private static bool IsTaken(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Entries.Left: 0 }
            && group.IsForLock()
            && (group.Waits.Taker is not null || !group.IdlesByToken())
            && !group.Waits.IsLimited()
            && !Frameworks.IsOwn(group.Method);

    // Who waits for what the own caller has taken.
    private Observation OfItself(FlowGroup group, FlowTaker taker)
    {
        string name = MethodText.Short(taker.Method);
        string awaits = taker.IsInCircle ? "waits for another such lock, in a circle"
            : taker.IsItself ? "takes it again"
            : "awaits the method that waits for it";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.AsyncLockLost,
            Links = LinkTrust.Read,
            Title = $"{FlowText.WithCaller(group)}; {name} has taken that, and {awaits}",
            Culprit = Parties.OfFlow(taker.Flow, taker.Method) with
            {
                Role = taker.IsInCircle ? "has taken the semaphore, and waits in a circle for one that those have who wait for it"
                    : taker.IsItself ? "has taken the semaphore, and waits for it once more"
                    : "has taken the semaphore, and comes to it a second time in what it awaits",
            },
            Victims = [Parties.OfFlow(group)],
            Evidence =
            [
                new Evidence(FlowText.Of(group), "heap walk", Trust.Derived) { Address = group.Waits.Address },
                new Evidence($"{name} has it in its variable {taker.Variable}", "heap walk", Trust.Derived) { Address = taker.Flow },
                .. AwaitedBy(group),
            ],
            Advice =
            [
                taker.IsInCircle ? "Take the locks in one order everywhere, or none while another is held."
                    : taker.IsItself ? "Where two locks are taken, look first whether they are one."
                    : "Do not call, inside the lock, what takes the same lock: a SemaphoreSlim does not know its owner.",
                "Of a cache with a lock for each key: what makes the value of a key must not ask for the same key.",
            ],
            Signature = Signature.OfMethods(Info, [taker.Method, group.Method]),
        };
    }

    private static IEnumerable<Evidence> AwaitedBy(FlowGroup group)
        => FlowText.AwaitedBy(group) is { } callers ? [new Evidence($"awaited by {callers}", "heap walk", Trust.Derived)] : [];

    private Observation Describe(FlowGroup group, IReadOnlyList<FlowGroup> holders)
    {
        FlowGroup culprit = holders.Count > 0 ? holders[0] : group;
        Claim text = FlowText.Of(group);
        Claim held = group.Waits.Holder is { } entered && entered.End == culprit.Sample && entered.Method != culprit.Method
            ? $"; {MethodText.Short(entered.Method)} has entered it, in which {FlowText.Of(culprit)}"
            : holders.Count > 0 ? (Claim)$"; who has entered it {(culprit.Count == 1 ? "is" : "are")} {FlowText.Of(culprit)}"
            : (Claim)"; no async method and no thread is seen to hold it";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.AsyncLockLost,
            Links = LinkTrust.Concluded,
            Title = $"{FlowText.WithCaller(group)}{held}",
            Culprit = Parties.OfFlow(culprit) with { Role = holders.Count > 0 ? "holds what the others wait for, and its own wait is not seen to end" : "waits for a lock that nobody is seen to hold" },
            Victims = [Parties.OfFlow(group)],
            Evidence =
            [
                new Evidence(text, "heap walk", Trust.Derived) { Address = group.Waits.Address },
                .. holders.Select(holder => new Evidence($"past that wait: {FlowText.Of(holder)}", "heap walk", Trust.Derived) { Address = holder.Sample }),
                .. AwaitedBy(group),
            ],
            Advice =
            [
                "Look for a WaitAsync whose Release is not in a finally block: an exception between the two loses the entry for good.",
                "Look for a method that takes the semaphore a second time while it holds it: a SemaphoreSlim does not know its owner.",
                "Look for a WaitAsync without a token that is given up (Task.WhenAny, WaitAsync of the task): it takes an entry later, which nobody gives back.",
            ],
            Signature = Signature.OfMethods(Info, holders.Count > 0 ? [group.Method, culprit.Method] : [group.Method]),
        };
    }
}
