using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread waits for a task whose rest has to run on that very thread.</summary>
public sealed class UiTaskDeadlockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2001", "task needs the thread that waits for it", "A thread blocks on a task whose continuation is posted to that thread's own context.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TaskCycles.WhyNot(context, out TaskGraphFacts tasks) is { } why)
        {
            return why;
        }

        Finding[] findings =
        [
            .. TaskCycles.Of(context).Where(TaskCycles.NeedsContext).Select(circle => Describe(context, circle, tasks)),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding Describe(RuleContext context, Circle circle, TaskGraphFacts tasks)
    {
        (Confidence confidence, string reason) = TaskCycles.Judge(circle);
        Finding finding = circle.Describe(Info, confidence, reason,
        [
            "Make the handler async and await the task in place of blocking on it.",
            "In code that must not need its caller's thread, use ConfigureAwait(false) on every await that leads there.",
        ]);
        WaitEdge needs = circle.Round.First(edge => edge.Label == TaskEdges.NeedsContext);
        if (needs.To.Thread is not { } id || BlockedOnTask.All(context, tasks).FirstOrDefault(wait => wait.Wait.Thread == id) is not { } blocked)
        {
            return finding;
        }

        TaskNeedFacts? need = context.FindTask(needs.From.Task!.Value)?.Needs.FirstOrDefault(need => need.Kind == TaskNeedKind.Context && need.Thread == id);
        return finding with
        {
            Title = circle.HasWayOut ? finding.Title : Title(context, blocked, needs.From.Task!.Value, circle),
            Signature = Signature.Of(Info, blocked.Stack),
            Culprit = Parties.OfThread(context, id) with { Role = blocked.Doing },
            Evidence =
            [
                new Evidence($"{Parties.Label(context, id)} {blocked.Doing}", "stack", Trust.Derived)
                {
                    Thread = id,
                    Frame = blocked.Frame is null ? null : FrameText.Of(blocked.Frame),
                },
                .. finding.Evidence,
                .. blocked.UiThread is { } ui
                    ? [new Evidence($"{Parties.Label(context, id)} alone runs what is posted to its {ui.ContextType}: {ui.Source}", "synchronization context", ui.Trust)
                    {
                        Thread = id,
                        Address = ui.Context,
                    }]
                    : Array.Empty<Evidence>(),
                .. need is { IsPosted: true }
                    ? [new Evidence($"the rest of {Parties.Label(context, needs.From.Task!.Value)} is in the queue of that context", need.Source, need.Trust)]
                    : Array.Empty<Evidence>(),
            ],
        };
    }

    private static string Title(RuleContext context, BlockedOnTask blocked, Address last, Circle circle)
    {
        Address first = circle.Round.FirstOrDefault(edge => edge.From.Thread == blocked.Wait.Thread)?.To.Task ?? last;
        string end = context.FindTask(last)?.Kind == TaskKind.Delegate ? "which this very thread has to run" : "whose continuation needs this very thread";
        string path = first == last
            ? $"the task it waits for is {Name(first)}, {end}"
            : $"the task it waits for is {Name(first)}, which needs {Name(last)}, {end}";
        return $"{blocked.Who(context)} {blocked.Doing}; {path}";

        string Name(Address task) => context.FindTask(task) is { } facts ? TaskText.Name(facts) : "a task";
    }
}
