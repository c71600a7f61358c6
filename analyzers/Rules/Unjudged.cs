using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules;

/// <summary>The verdict where nothing was found and something that judging needs is missing or unexplained.</summary>
internal static class Unjudged
{
    private const string TakeMore =
        "Take a dump that holds more: on Windows \"procdump -ma PID\" (full memory, thread times, handles), for .NET on Linux \"dotnet-dump collect --type Full -p PID\".";

    /// <param name="context">The facts.</param>
    /// <param name="row">What the policy says of it.</param>
    /// <param name="chain">The waits that lead furthest: their end is where to look, though what it does is not known.</param>
    /// <param name="decisive">What forbids a surer verdict.</param>
    public static Verdict Describe(RuleContext context, PolicyRow row, IReadOnlyList<WaitEdge> chain, IReadOnlyList<Gap> decisive) => new()
    {
        Kind = row.Kind,
        Confidence = row.Confidence,
        ConfidenceReason = ReasonText.Of(row.Reason),
        Title = $"No hang was found, and none can be ruled out: {decisive[0].ToString()}{(decisive.Count > 1 ? $" (and {decisive.Count - 1} more)" : string.Empty)}",
        Signature = "inconclusive",
        Culprit = chain.Count == 0 ? null : Parties.Of(context, chain[^1].To) with { Role = "the end of the longest chain of waits" },
        Chain = [.. chain.Select(edge => Parties.Link(context, edge))],
        Victims = chain.Count == 0 ? [] : Waiters.PartiesOf(context, context.Graph.ThreadsBehind(chain[^1].To)),
        Evidence = [.. Waiters.Sentences(context, chain)],
        Advice = [TakeMore],
    };
}
