using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Spinning;

/// <summary>Threads or async methods look again and again at a field that nobody is left to change: a flag, or a spin lock whose holder is gone.</summary>
public sealed class EndlessPollRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT4003", "loop that nobody ends", "A loop waits for a field to change, and no thread, async method or delegate can reach a method that changes it.")
    {
        Patterns = Pattern.PollForNobody | Pattern.SpinLockLost,
        Needs = Need.Threads | Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
            [.. Matter(context, poll => context.Polls.OutlookOf(poll) == PollOutlook.Nobody).Select(poll => Describe(context, poll))],
            [
                .. context.Managed?.Polls?.Gap is { } unseen ? [unseen] : Array.Empty<Gap>(),
                .. Matter(context, IsUnsearched).Select(poll => poll.Unsearched!).Distinct(),
            ]);
    }

    private static IEnumerable<EndlessPoll> Matter(RuleContext context, Func<PollFacts, bool> which)
        => context.Polls.All.Where(which)
            .GroupBy(poll => (poll.Method, string.Join('|', poll.Fields)))
            .Select(group => new EndlessPoll(context, [.. group]))
            .Where(poll => poll.Matters);

    private static bool IsUnsearched(PollFacts poll) => poll.Bringers?.Gap is not null && poll.EndsByConditionAlone() && !poll.IsMeantToLast();

    private Observation Describe(RuleContext context, EndlessPoll poll)
    {
        string place = poll.Place;
        string spins = poll.IsLock ? "tries for" : "waits for";
        string spin = poll.Count == 1 ? spins : poll.IsLock ? "try for" : "wait for";
        Claim who = poll.Count > 1 ? (Claim)$"{poll.Leading} and {Count.More(poll.Count - 1, poll.Threads.Count > 0 ? "thread" : "method")}" : $"{poll.Leading}";
        string behind = poll.Victims.Count > 0 ? $"; {Count.Waiting(poll.Victims.Count)} behind it" : string.Empty;
        string? takenIn = poll.TakenIn is { } method ? MethodText.Short(method) : null;
        Claim changes = takenIn is not null ? (Claim)$"; {poll.Leading} has taken it itself, in {takenIn}, which gives it back at its end"
            : poll.Writers.Count > 0 ? $", and no thread is left that can reach {string.Join(" or ", poll.Writers)}"
            : poll.IsLock ? ", and nobody is left who could give it back"
            : ", and no method of the program changes it";
        Claim role = takenIn is null ? $"{spins} {poll.Field} in a loop of {place}"
            : (Claim)$"tries in {place} for {poll.Field}, which it has taken itself in {takenIn}";
        return new Observation
        {
            Rule = Info,
            Pattern = poll.IsLock ? Pattern.SpinLockLost : Pattern.PollForNobody,
            Links = LinkTrust.Concluded,
            Watched = poll.Threads,
            Signs = takenIn is null ? Sign.None : Sign.TakenByItself,
            Title = $"{who} {spin} {poll.Field} in a loop of {place}{changes}{behind}",
            Culprit = poll.Party with { Role = role },
            Victims = Waiters.PartiesOf(context, poll.Victims),
            Evidence =
            [
                .. poll.Threads.Select(thread => new Evidence($"{Parties.Label(context, thread)} goes round a loop of {place} that ends only when {poll.Field} changes", "instructions of the loop", Trust.Derived)
                {
                    Thread = thread,
                }),
                .. takenIn is null ? []
                    : new[]
                    {
                        new Evidence(
                            $"{poll.Leading} is in a block of {takenIn} at whose end it is given back", "instructions of the program",
                            Trust.Derived),
                    },
                new Evidence(
                    poll.Writers.Count > 0 ? $"it is changed by {string.Join(", ", poll.Writers)} alone, and no other thread, async method or delegate can reach that" : "no instruction of the program changes it, constructors left out",
                    "instructions of the program", Trust.Derived),
            ],
            Gaps = [new Gap("changes by reflection or native code", "they are not among the program's instructions")],
            Advice = takenIn is not null
                ?
                [
                    $"Do not come to {place} from {takenIn}: call what does so, as an event's handlers, when the lock is given back.",
                    "Use the lock statement or System.Threading.Lock: both may be taken again by their owner, and record him.",
                ]
                : poll.IsLock
                ? ["Find out who took it and left without giving it back: an exception or a return between the two. Release in a finally block.", "Use the lock statement or System.Threading.Lock: they record their owner, and threads block instead of spinning."]
                : ["Look for the path on which the field is not set: an exception, a return, an event that nobody raises.", "Wait on a task or an event, with a timeout, instead of looking again and again."],
            Signature = Signature.OfMethods(Info, poll.Method, poll.Field),
        };
    }
}
