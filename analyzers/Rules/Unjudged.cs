using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Scheduling;
using HangTriage.Rules.Suspects;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>The verdict where nothing was found and something that judging needs is missing or unexplained.</summary>
internal static class Unjudged
{
    private const int MostNamed = 4;
    private const string Keeps = "has in hand what is waited for, and waits itself";

    /// <param name="context">The facts.</param>
    /// <param name="row">What the policy says of it.</param>
    /// <param name="suspect">The heaviest suspect, whose chain leads to where to look; null where there is none that matters.</param>
    /// <param name="decisive">What forbids a surer verdict.</param>
    public static Verdict Describe(RuleContext context, PolicyRow row, Suspect? suspect, IReadOnlyList<Gap> decisive)
    {
        Verdict verdict = Of(context, row, suspect?.Chain ?? [], "the end of the longest chain of waits");
        return verdict with
        {
            Culprit = suspect?.Bearer is { } bearer ? bearer with { Role = Keeps } : verdict.Culprit,
            Title = $"No hang was found, and none can be ruled out: {ShortTitle.Of(Open(suspect, decisive[0]))}{(decisive.Count > 1 ? $" (and {decisive.Count - 1} more)" : string.Empty)}",
            Advice = context.Case.IsTraceAlone
                ? [AloneText.TakeDump(context)] : OpenAdvice.Of(context.Case, hasSuspect: suspect is not null),
        };
    }

    private static Claim Open(Suspect? suspect, Gap first)
        => suspect is not null && suspect.Unknown == first && suspect.Title.Text.Length > 0 ? suspect.Title : first.ToString();

    /// <summary>
    /// The verdict where the user says that the process hangs, or nothing that moves can end a wait, and this suspect explains it best.
    /// </summary>
    public static Verdict Suspected(RuleContext context, PolicyRow row, Suspect suspect, IReadOnlyList<MoverFacts>? observers = null)
    {
        Verdict verdict = Of(context, row, suspect.Chain, "the end of its chain of waits");
        return verdict with
        {
            Title = ShortTitle.Of(suspect.Title),
            Culprit = suspect.FailedGiver is { } failed
                ? suspect.Waiters[0] with { Role = $"waits for what only {MethodText.Short(failed.Method)} would bring, which has failed" }
                : suspect.OwnGiver is not null ? suspect.Waiters[0] with { Role = "waits in the only method that could end its wait" }
                : suspect.Bearer is { } bearer ? bearer with { Role = Keeps }
                : row.Reason == Reason.RequestsInCircle && context.Flows.Server.SlowHandler is { } handler
                    ? Parties.OfFlow(handler) with { Role = "asks the process itself, in a request that others wait for" }
                : verdict.Culprit ?? suspect.Waiters[0] with { Role = "waits, and what ends its wait is unknown" },
            Victims = [.. suspect.Waiters],
            Evidence =
            [
                .. verdict.Evidence.Count > 0 ? verdict.Evidence
                    : [new Evidence(suspect.Title, "stack", Trust.Derived) { Thread = suspect.Waiters[0].Thread }],
                .. GiverText.Evidence(suspect) is { } giver ? [new Evidence(giver, "instructions of the program", Trust.Derived)]
                    : observers is null ? Array.Empty<Evidence>()
                    : [new Evidence(Moving(observers), "instructions of the program", Trust.Derived)],
            ],
            Advice = suspect.FailedGiver is { } dead
                ? [$"Look at why {MethodText.Short(dead.Method)} has failed: catch in its loop what one item throws, and await its task."]
                : suspect.OwnGiver is { } own
                ?
                [
                    $"Do not wait in {MethodText.Short(own.Method)} for what only its next call brings: return, and continue when that has come.",
                    .. OpenAdvice.LookAgain(context.Case) is { } later ? [later] : Array.Empty<string>(),
                ]
                : OpenAdvice.LookAgain(context.Case) is { } again ? [again] : [],
            Signature = Signature.Of($"suspect {suspect.Kind}", Waiters.StackOf(context, suspect.Waiters[0].Thread)),
        };
    }

    private static Claim Moving(IReadOnlyList<MoverFacts> observers)
        => observers.Where(mover => !Frameworks.IsOwn(mover.Name)).Select(mover => MethodText.Short(mover.Name)).Distinct()
            .Take(MostNamed).ToArray() is { Length: > 0 } names
            ? $"what still moves in the process can end no wait: {string.Join(", ", names)}"
            : "nothing of the program's own code moves";

    private static Verdict Of(RuleContext context, PolicyRow row, IReadOnlyList<WaitEdge> chain, string role) => new()
    {
        Kind = row.Kind,
        Confidence = row.Confidence,
        ConfidenceReason = ReasonText.Of(row.Reason),
        Title = Claim.Empty,
        Signature = "inconclusive",
        Culprit = chain.Count == 0 ? null : Parties.Of(context, chain[^1].To) with { Role = role },
        Chain = [.. chain.Select(edge => Parties.Link(context, edge))],
        Victims = chain.Count == 0 ? [] : Waiters.PartiesOf(context, context.Graph.ThreadsBehind(chain[^1].To)),
        Evidence = [.. Waiters.Sentences(context, chain)],
    };
}
