using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread waits for a task whose rest has to run on that very thread.</summary>
public sealed class UiTaskDeadlockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2001", "task needs the thread that waits for it", "A thread blocks on a task whose continuation is posted to that thread's own context.")
    {
        Patterns = Pattern.ContextCycle,
        Needs = Need.Managed | Need.Tasks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.CirclesOf(CycleClass.ContextOfThread).Select(circle => Describe(context, circle))]);
    }

    private Observation Describe(RuleContext context, Circle circle)
    {
        Observation seen = circle.Describe(
            Info,
            Pattern.ContextCycle,
            Links.Weakest(circle.Round.Select(edge => edge.Trust)),
            "Make the handler async and await the task instead of blocking on it.",
            "Use ConfigureAwait(false) on every await that leads there, in code that must not need its caller's thread.");
        WaitEdge needs = circle.Round.First(edge => edge.Kind == EdgeKind.NeedsContext);
        if (needs.To.Thread is not { } id || BlockedOnTask.All(context).FirstOrDefault(wait => wait.Wait.Thread == id) is not { } blocked)
        {
            return seen;
        }

        return seen with
        {
            Title = circle.HasWayOut ? seen.Title : Title(context, blocked, needs.From.Task!.Value, circle),
            Signature = Signature.Of(Info, blocked.Stack),
            Culprit = Parties.OfThread(context, id) with { Role = blocked.Doing },
            Evidence = [.. blocked.Evidence(context), .. seen.Evidence, .. EvidenceOfContext(context, blocked, needs.From.Task!.Value)],
        };
    }

    private static IEnumerable<Evidence> EvidenceOfContext(RuleContext context, BlockedOnTask blocked, Address task)
    {
        ThreadId id = blocked.Wait.Thread;
        if (blocked.EvidenceOfUi(context) is { } ui)
        {
            yield return ui;
        }

        if (context.FindTask(task)?.Needs.FirstOrDefault(need => need.Kind == TaskNeedKind.Context && need.Thread == id) is { IsPosted: true } need)
        {
            yield return new Evidence($"the rest of {Parties.Label(context, task)} is in the queue of that context", need.Source, need.Trust);
        }
    }

    private static Claim Title(RuleContext context, BlockedOnTask blocked, Address last, Circle circle)
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
