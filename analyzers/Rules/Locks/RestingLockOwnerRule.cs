using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Locks;

/// <summary>A thread holds a lock that others wait for, and is idle: nothing that it does itself releases the lock.</summary>
public sealed class RestingLockOwnerRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3009", "idle lock owner", "A thread that holds a lock sleeps for long, is suspended, or waits for work, messages or data while others wait for the lock.")
    {
        Patterns = Pattern.OwnerSleepsForEver | Pattern.OwnerSleepsLong | Pattern.OwnerBackInPool | Pattern.OwnerBackInLoop
            | Pattern.OwnerSuspended | Pattern.OwnerWaitsForMessage | Pattern.OwnerWaitsForIo,
        Needs = Need.Threads | Need.AnyLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
            [.. context.Threads.Select(thread => Describe(context, thread)).OfType<Observation>()],
            [.. context.Threads.Where(thread => WaitsFor(context, thread).Length > 0 && Rest.Of(context, thread) is null).SelectMany(UnseenRest.Of).Distinct()]);
    }

    private static bool IsForGood(WaitEdge wait) => wait is { From.Thread: not null, EndsByItself: false, Alternatives: 1 };

    /// <summary>The waits for what the thread holds.</summary>
    private static HeldUp[] WaitsFor(RuleContext context, ThreadAssessment owner)
        =>
        [
            .. context.Graph.To(WaitNode.Of(owner.Thread.OsId))
                .Where(held => held.From.Lock is { } id && !id.Kind.IsOfRuntime())
                .SelectMany(held => context.Graph.To(held.From).Where(IsForGood).Select(wait => new HeldUp(held, wait))),
        ];

    private Observation? Describe(RuleContext context, ThreadAssessment owner)
    {
        HeldUp[] waits = WaitsFor(context, owner);
        return waits.Length == 0 || Rest.Of(context, owner) is not { } rest ? null
            : rest.Pattern != Pattern.OwnerBackInLoop ? Describe(context, owner, rest, waits)
            : waits.Where(pair => pair.Held.Kind != EdgeKind.CompletedBy).ToArray() is { Length: > 0 } held
                ? Describe(context, owner, rest, held)
            : null;
    }

    private Observation Describe(RuleContext context, ThreadAssessment owner, Rest rest, HeldUp[] waits)
    {
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(WaitNode.Of(owner.Thread.OsId));
        Claim label = Parties.Label(context, owner.Thread.OsId);
        Claim does = WaitPlace.Of(owner.Thread) is { } place ? $"{rest.Does} ({place})" : rest.Does;
        Claim holds = $"holds {Parties.Of(context, waits[0].Held.From)} and {does}";
        return new Observation
        {
            Rule = Info,
            Pattern = rest.Pattern,
            Links = Links.Strongest(waits.Select(pair => pair.Wait.Trust)),
            Watched = [owner.Thread.OsId],
            Title = $"{label} {holds}; {Count.Waiting(victims.Count)} behind it",
            Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = holds },
            Chain = [Parties.Link(context, waits[0].Wait), Parties.Link(context, waits[0].Held)],
            Victims = Waiters.PartiesOf(context, victims),
            Evidence =
            [
                .. waits.Select(pair => pair.Held).Distinct().Select(held => new Evidence(Parties.Sentence(context, held), held.Source, held.Trust)
                {
                    Address = held.From.Lock!.Address,
                }),
                new Evidence($"{label} {does}", rest.Source, rest.Trust)
                {
                    Thread = owner.Thread.OsId,
                    Frame = owner.Frame is null ? null : Claim.Of(owner.Frame),
                },
                .. Waiters.Sentences(context, waits.Select(pair => pair.Wait)),
            ],
            Advice = rest.Advice,
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }

    /// <param name="Held">The lock, by its owner.</param>
    /// <param name="Wait">Somebody waits for it.</param>
    private sealed record HeldUp(WaitEdge Held, WaitEdge Wait);
}
