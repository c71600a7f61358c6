using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Context;

/// <summary>Those who wait for one thing, as parties and as evidence.</summary>
internal static class Waiters
{
    /// <summary>One piece of evidence each: "thread 3 (0x12) waits for it".</summary>
    public static IEnumerable<Evidence> Evidence(RuleContext context, IEnumerable<WaitEdge> waits, string does = "waits for it")
        => waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From)} {does}", wait.Source, wait.Trust) { Thread = wait.From.Thread });

    /// <summary>One piece of evidence each: "thread 3 (0x12) waits for monitor of App.Account (0x7f…)".</summary>
    public static IEnumerable<Evidence> Sentences(RuleContext context, IEnumerable<WaitEdge> waits)
        => waits.Select(wait => new Evidence(Parties.Sentence(context, wait), wait.Source, wait.Trust) { Thread = wait.From.Thread });

    public static IReadOnlyList<Party> PartiesOf(RuleContext context, IEnumerable<WaitNode> nodes, Claim? role = null)
        => [.. nodes.Select(node => Parties.Of(context, node) with { Role = role })];

    /// <summary>Empty for a thread that is not among the snapshot's.</summary>
    public static IReadOnlyList<FrameFacts> StackOf(RuleContext context, ThreadId? thread)
        => thread is { } id ? context.Find(id)?.Thread.Stack.Frames ?? [] : [];
}
