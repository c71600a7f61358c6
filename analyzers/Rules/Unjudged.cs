using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Rules;

/// <summary>The verdict where nothing was found and something that judging needs is missing or unexplained.</summary>
internal static class Unjudged
{
    private const string TakeMore =
        "Take a dump that holds more: on Windows \"procdump -ma PID\" (full memory, thread times, handles), for .NET on Linux \"dotnet-dump collect --type Full -p PID\".";

    private const string TakeAnother = "Take a second dump some seconds later and judge both (triage analyze second.dmp --earlier first.dmp): a wait that lasts is confirmed.";

    private const string SayThatItHangs = "If you know that the process hangs, say so (--hung): the best suspect is then the verdict.";

    /// <param name="context">The facts.</param>
    /// <param name="row">What the policy says of it.</param>
    /// <param name="suspect">The heaviest suspect, whose chain leads to where to look; null where there is none that matters.</param>
    /// <param name="decisive">What forbids a surer verdict.</param>
    public static Verdict Describe(RuleContext context, PolicyRow row, Suspect? suspect, IReadOnlyList<Gap> decisive)
        => Of(context, row, suspect?.Chain ?? [], "the end of the longest chain of waits") with
        {
            Title = $"No hang was found, and none can be ruled out: {decisive[0].ToString()}{(decisive.Count > 1 ? $" (and {decisive.Count - 1} more)" : string.Empty)}",
            Advice = suspect is null ? [TakeMore] : context.Case.IsSaidToHang ? [TakeMore, TakeAnother] : [TakeMore, TakeAnother, SayThatItHangs],
        };

    /// <summary>The verdict where the user says that the process hangs, and this suspect explains it best.</summary>
    public static Verdict Suspected(RuleContext context, PolicyRow row, Suspect suspect)
    {
        Verdict verdict = Of(context, row, suspect.Chain, "the end of its chain of waits");
        return verdict with
        {
            Title = suspect.Title,
            Culprit = verdict.Culprit ?? suspect.Waiters[0] with { Role = "waits, and what ends its wait is unknown" },
            Victims = [.. suspect.Waiters],
            Evidence = verdict.Evidence.Count > 0 ? verdict.Evidence
                : [new Evidence(suspect.Title, "stack", Trust.Derived) { Thread = suspect.Waiters[0].Thread }],
            Advice = [TakeAnother],
            Signature = Signature.Of($"suspect {suspect.Kind}", Waiters.StackOf(context, suspect.Waiters[0].Thread)),
        };
    }

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
