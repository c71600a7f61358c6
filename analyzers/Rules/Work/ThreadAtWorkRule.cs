using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Work;

/// <summary>
/// A thread of the program's own code computes, and others wait for it, it is Main, or it is the only one at work. One look does not tell
/// whether that ends; several looks may, and so may a circle in the data that its loop walks.
/// </summary>
public sealed class ThreadAtWorkRule : IRule
{
    private const string Unchanged = "has run in between, and nothing that its frames work with has changed";

    public RuleInfo Info { get; } = new(
        "HT4004", "thread at work",
        "A thread computes that others wait for, that is Main, or that is the only one at work: who, where and for whom.")
    {
        Patterns = Pattern.AtWork | Pattern.WalksInCircle | Pattern.AsksUnderLock,
        Needs = Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Worker[] workers = [.. context.Threads.Where(thread => Worker.Is(context, thread)).Select(thread => new Worker(context, thread))];
        bool isAlone = context.Threads.Count(Worker.IsCaughtAtWork) == 1;
        return RuleOutcome.Of(
        [
            .. workers
                .Where(worker => worker.IsDependedOn || isAlone)
                .Where(worker => !worker.IsRunaway)
                .GroupBy(worker => worker.Method)
                .Select(group => group.OrderByDescending(worker => worker.Signs != Sign.None || worker.Circle is not null)
                .ThenByDescending(worker => worker.IsAwaitedByImportant)
                    .ThenByDescending(worker => worker.Waiters.Count).ToArray())
                .OrderByDescending(group => group[0].IsAwaitedByImportant)
                .ThenByDescending(group => group[0].Waiters.Count)
                .Take(Thresholds.PlacesOfWork)
                .Select(group => Describe(context, group)),
            .. context.Threads.Select(thread => Napper.Of(context, thread)).OfType<Napper>().Select(napper => Describe(context, napper)),
        ],
        [
            .. context.Threads.Select(thread => Napper.Unseen(context, thread)).OfType<Gap>().Distinct(),
            .. context.Threads.Where(thread => IsHidden(context, thread)).Select(thread => new Gap(
                $"stack of {Parties.Label(context, thread.Thread.OsId)}",
                    "it computes, others wait for it, and no method of the program's was found on it")),
        ]);
    }

    // A frame that cannot be walked hides those that called it.
    private static bool IsHidden(RuleContext context, ThreadAssessment thread)
        => thread.State == ThreadActivity.Running && thread.Thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed)
            && !Worker.IsCaughtAtWork(thread)
            && context.SpinOf(thread) is { Spins: not true, IsBusy: true }
            && context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count > 0;

    private Observation Describe(RuleContext context, Napper napper)
    {
        Claim label = Parties.Label(context, napper.Id);
        Claim does = $"naps and asks again in a loop of {napper.Place}, with nothing changed{EarlierText.Times(napper.History.Samples)}";
        Claim holds = $"holds {Parties.Of(context, napper.Held.From)} and {does}";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.AsksUnderLock,
            Links = LinkTrust.Concluded,
            Title = $"{Count.Waiting(napper.Waiters.Count)} behind {label}, which {holds}",
            Culprit = Parties.OfThread(context, napper.Id) with { Role = holds },
            Chain = [Parties.Link(context, context.Graph.To(napper.Held.From)[0]), Parties.Link(context, napper.Held)],
            Victims = Waiters.PartiesOf(context, napper.Waiters),
            Evidence =
            [
                new Evidence(Parties.Sentence(context, napper.Held), napper.Held.Source,
                    napper.Held.Trust) { Address = napper.Held.From.Lock!.Address },
                new Evidence(
                    $"{label} was in the same nap {EarlierText.At(napper.History.Between)} too{EarlierText.Times(napper.History.Samples)}, {Unchanged}",
                    "earlier capture", Trust.Derived) { Thread = napper.Id },
            ],
            Advice =
                ["Find out who should change what it asks for, and give up after a time.",
                    "Hold no lock while waiting for something outside."],
            Signature = Signature.Of(Info, napper.Thread.Stack.Frames),
        };
    }

    private Observation Describe(RuleContext context, Worker[] group)
    {
        Worker first = group[0];
        WaitEdge[] chain = [.. first.Chain];
        return new Observation
        {
            Rule = Info,
            Pattern = first.Circle is null ? Pattern.AtWork : Pattern.WalksInCircle,
            Links = LinkTrust.Concluded,
            Signs = first.Signs | (first.IsDependedOn ? Sign.Depended : Sign.None),
            Title = WorkText.Title(context, first, group.Length),
            Culprit = Parties.OfThread(context, first.Id) with { Role = WorkText.Does(first) },
            Chain = [.. chain.Select(edge => Parties.Link(context, edge))],
            Victims = Waiters.PartiesOf(context, first.Waiters),
            Evidence = [.. WorkText.Evidence(context, first)],
            Advice = WorkText.Advice(context, first),
            Signature = Signature.Of(Info, first.Thread.Stack.Frames),
        };
    }
}
