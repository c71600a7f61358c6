using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// What the rules for the runtime's own waits share: circles that lead through one, and threads that are stuck in one while others wait.
/// </summary>
internal sealed class RuntimeWait(RuleContext context, RuleInfo rule, LockKind kind, params IReadOnlyList<Claim> advice)
{
    /// <summary>Deadlocks: each circle through such a wait.</summary>
    /// <param name="which">Its class.</param>
    /// <param name="of">Which of these; null for all.</param>
    public IEnumerable<Observation> Circles(CycleClass which, Func<Circle, bool>? of = null)
        => context.CirclesOf(which).Where(circle => of is null || of(circle)).Select(circle => circle.Describe(rule, Pattern.ManagedLockCycle, Links.OfRecorded(circle.Round), advice) with
        {
            Title = RuntimeCircleText.Title(context, circle, kind),
        });

    /// <summary>Threads that are stuck while others wait for what they run.</summary>
    public IEnumerable<Observation> Stuck()
        => context.Locks.Where(held => held.Id.Kind == kind && held.Owner.HasValue).Select(Describe).OfType<Observation>();

    /// <summary>What is missing of the threads that run such things: whether they wait without a timeout.</summary>
    public IEnumerable<Gap> Unseen()
        => context.Locks
            .Where(held => held.Id.Kind == kind && held.Owner.HasValue && context.Find(held.Owner.Value) is { State: ThreadActivity.WaitsForObject })
            .SelectMany(held => context.WaitsOf(held.Owner.Value))
            .Select(wait => wait.Timeout.Gap)
            .OfType<Gap>();

    private Observation? Describe(LockFacts held)
    {
        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(held.Id)).Where(edge => edge is { From.Thread: not null, EndsByItself: false, Alternatives: 1 })];
        if (waits.Length == 0 || StuckRunner.Of(context, held.Owner.Value) is not { } stuck)
        {
            return null;
        }

        Claim label = Parties.Label(context, stuck.Runner);
        Claim what = Parties.Label(context, held.Id);
        ThreadFacts end = stuck.End.Thread;
        Claim place = WaitPlace.InProgram(end) is { } known ? $" in {known}" : Claim.Empty;
        Claim does = stuck.Tell(context);
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(WaitNode.Of(end.OsId));
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.RuntimeStuck,
            Links = Links.Strongest(waits.Select(wait => wait.Trust)),
            Watched = stuck.Way.Count == 0 ? [stuck.Runner] : [stuck.Runner, end.OsId],
            Title = $"{label} runs {what} and {does}; {Count.Waiting(victims.Count)} behind it",
            Culprit = Parties.OfThread(context, stuck.Runner) with { Role = $"runs {what} and {does}" },
            Chain = [Parties.Link(context, waits[0]), Parties.Link(context, context.Graph.From(WaitNode.Of(held.Id))[0]), .. stuck.Way.Select(edge => Parties.Link(context, edge))],
            Victims = Waiters.PartiesOf(context, victims),
            Evidence =
            [
                new Evidence($"{label} runs {what}", "stack", held.Owner.Trust) { Thread = stuck.Runner, Address = held.Id.Address },
                new Evidence($"{Parties.Label(context, end.OsId)} {stuck.Does}{place}", "stack", stuck.End.Trust)
                {
                    Thread = end.OsId,
                    Frame = stuck.End.Frame is { } frame ? Claim.Of(frame) : null,
                },
                .. Waiters.Sentences(context, waits),
            ],
            Gaps = [stuck.WhoEndsIt],
            Advice = advice,
            Signature = Signature.Of(rule, end.Stack.Frames),
        };
    }
}
