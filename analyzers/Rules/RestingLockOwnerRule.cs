using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>A thread holds a lock that others wait for, and has come to rest: nothing that it does itself gives the lock back.</summary>
public sealed class RestingLockOwnerRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3009", "lock owner at rest", "A thread that holds a lock sleeps for long, is suspended, or waits for work, messages or data while others wait for the lock.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        Finding[] findings = [.. context.Threads.Select(thread => Describe(context, thread)).OfType<Finding>()];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private static bool IsForGood(WaitEdge wait) => wait is { From.Thread: not null, EndsByItself: false, Alternatives: 1 };

    private Finding? Describe(RuleContext context, ThreadAssessment owner)
    {
        WaitNode node = WaitNode.Of(owner.Thread.OsId);
        (WaitEdge Held, WaitEdge Wait)[] waits =
        [
            .. context.Graph.To(node)
                .Where(held => held.From.Lock is not null)
                .SelectMany(held => context.Graph.To(held.From).Where(IsForGood).Select(wait => (held, wait))),
        ];
        if (waits.Length == 0 || Rest.Of(context, owner) is not { } rest)
        {
            return null;
        }

        bool isGuess = waits.All(pair => pair.Wait.Trust is not (Trust.Read or Trust.Derived));
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(node);
        string label = Parties.Label(context, owner.Thread.OsId);
        string what = Parties.Of(context, waits[0].Held.From).Label;
        string does = rest.Does + (WaitText.Of(owner.Thread) is { } place ? $" ({place})" : string.Empty);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = rest.Kind,
            Confidence = isGuess ? Confidence.Possible : rest.Confidence,
            ConfidenceReason = isGuess ? "who waits for the lock is guessed from stack words" : rest.Reason,
            Title = string.Create(CultureInfo.InvariantCulture, $"{label} holds {what} and {does}; {victims.Count} thread{(victims.Count == 1 ? " waits" : "s wait")} behind it"),
            Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = $"holds {what} and {does}" },
            Chain = [Parties.Link(context, waits[0].Wait), Parties.Link(context, waits[0].Held)],
            Victims = [.. victims.Select(victim => Parties.Of(context, victim))],
            Evidence =
            [
                .. waits.Select(pair => pair.Held).Distinct().Select(held => new Evidence($"{Parties.Of(context, held.From).Label} {held.Label} {label}", held.Source, held.Trust)
                {
                    Address = held.From.Lock!.Address,
                }),
                new Evidence($"{label} {does}", rest.Source, rest.Trust)
                {
                    Thread = owner.Thread.OsId,
                    Frame = owner.Frame is null ? null : FrameText.Of(owner.Frame),
                },
                .. waits.Select(pair => new Evidence($"{Parties.Of(context, pair.Wait.From).Label} waits for {Parties.Of(context, pair.Held.From).Label}", pair.Wait.Source, pair.Wait.Trust)
                {
                    Thread = pair.Wait.From.Thread,
                }),
            ],
            Advice = rest.Advice,
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }
}
