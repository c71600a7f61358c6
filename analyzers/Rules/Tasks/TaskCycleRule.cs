using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Tasks;

/// <summary>Threads, locks and tasks wait in a circle: a thread waits for a task that needs what the thread holds, or tasks await each other.</summary>
public sealed class TaskCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2004", "cycle through a task", "Threads and tasks wait for each other in a circle, through locks or directly.")
    {
        Patterns = Pattern.TaskCycle,
        Needs = Need.Managed | Need.Tasks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.CirclesOf(CycleClass.Task).Select(Describe)]);
    }

    private Observation Describe(Circle circle)
        => circle.Describe(
            Info,
            Pattern.TaskCycle,
            Links.Weakest(circle.Round.Select(edge => edge.Trust)),
            [
                .. circle.HasLock ? [(Claim)"Hold no lock while blocking on a task; take it again, or let the task do the work under it."] : Array.Empty<Claim>(),
                "Await tasks instead of blocking on them, and let no task await one that awaits it.",
            ]);
}
