using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Tasks;

/// <summary>The cycles of the wait graph that lead through tasks, and what every rule on tasks needs before it looks.</summary>
internal static class TaskCycles
{
    public static bool HasTask(IReadOnlyList<WaitNode> cycle) => cycle.Any(node => node.Task is not null);

    public static IEnumerable<Circle> Of(RuleContext context)
        => context.Graph.Cycles().Where(HasTask).Select(cycle => new Circle(context, cycle));

    /// <summary>A task in it has to go on in the context of a thread in it.</summary>
    public static bool NeedsContext(Circle circle) => circle.Round.Any(edge => edge.Label == TaskEdges.NeedsContext);

    /// <summary>Why a rule cannot look at tasks; null where it can.</summary>
    public static RuleOutcome? WhyNot(RuleContext context, out TaskGraphFacts tasks)
    {
        tasks = new TaskGraphFacts { Waits = [], Tasks = [] };
        if (ManagedSection.Of(context.Snapshot, out RuleOutcome outcome) is not { } managed)
        {
            return outcome;
        }

        if (managed.Tasks.TryGet(out TaskGraphFacts? graph))
        {
            tasks = graph;
            return managed.UiThreads.Gap is { } unseen && graph.Waits.Count > 0 ? RuleOutcome.Blind(unseen) : null;
        }

        return RuleOutcome.Blind(managed.Tasks.Gap!);
    }

    public static (Confidence Confidence, string Reason) Judge(Circle circle)
        => circle.Round switch
        {
            { } round when round.Any(edge => edge.Trust is Trust.Scanned or Trust.Assumed) =>
                (Confidence.Possible, "a link of the circle is guessed from stack words or rests on an unverified layout"),
            { } round when round.Any(edge => !edge.Timeout.HasValue) =>
                (Confidence.Likely, "every link was found; whether a wait has a time-out is not recorded"),
            { } round when round.Any(edge => edge.Trust == Trust.Derived) =>
                (Confidence.Likely, "every link was found; one of them is concluded from stacks and objects"),
            _ => (Confidence.Certain, "every link was read from the target, and no wait has a time-out"),
        };
}
