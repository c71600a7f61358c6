using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Work;

/// <summary>
/// A thread of the program's own code computes, and others wait for it, it is Main, or it is the only one at work. One look does not tell
/// whether that ends; several looks may, and so may a circle in the data that its loop walks.
/// </summary>
public sealed class ThreadAtWorkRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT4004", "thread at work", "A thread computes that others wait for, that is Main, or that is the only one at work: who, where and for whom.")
    {
        Patterns = Pattern.AtWork | Pattern.WalksInCircle,
        Needs = Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Worker[] workers = [.. context.Threads.Where(thread => Worker.Is(context, thread)).Select(thread => new Worker(context, thread))];
        return RuleOutcome.Of(
        [
            .. workers
                .Where(worker => worker.IsDependedOn || workers.Length == 1)
                .Where(worker => !worker.IsRunaway)
                .GroupBy(worker => worker.Method)
                .Select(group => group.OrderByDescending(worker => worker.Signs != Sign.None || worker.Circle is not null).ThenByDescending(worker => worker.Waiters.Count).ToArray())
                .OrderByDescending(group => group[0].Waiters.Count)
                .Take(Thresholds.PlacesOfWork)
                .Select(group => Describe(context, group)),
        ]);
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
            Advice = WorkText.Advice(first),
            Signature = Signature.Of(Info, first.Thread.Stack.Frames),
        };
    }
}
