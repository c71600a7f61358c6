using HangTriage.Facts;

namespace HangTriage.Rules.Tasks;

/// <summary>Threads, locks and tasks wait in a circle: a thread waits for a task that needs what the thread holds, or tasks await each other.</summary>
public sealed class TaskCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2004", "cycle through a task", "Threads and tasks wait for each other in a circle, through locks or directly.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TaskCycles.WhyNot(context, out _) is { } why)
        {
            return why;
        }

        Finding[] findings = [.. TaskCycles.Of(context).Where(circle => !TaskCycles.NeedsContext(circle)).Select(Describe)];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding Describe(Circle circle)
    {
        (Confidence confidence, string reason) = TaskCycles.Judge(circle);
        return circle.Describe(Info, confidence, reason,
        [
            "Hold no lock while blocking on a task; take it again, or let the task do the work under it.",
            "Await tasks in place of blocking on them, and let no task await one that awaits it.",
        ]);
    }
}
