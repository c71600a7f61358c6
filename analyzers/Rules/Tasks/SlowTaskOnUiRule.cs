using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Outside;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread that alone serves a user interface blocks on a task that does make progress elsewhere.</summary>
public sealed class SlowTaskOnUiRule : IRule
{
    private const int EndsToName = 4;

    public RuleInfo Info { get; } = new(
        "HT2003", "UI thread blocked on work that makes progress", "The thread of a user interface blocks on a task that runs, or waits for time or I/O, elsewhere.")
    {
        Patterns = Pattern.UiWaitsForWork,
        Needs = Need.Managed | Need.Tasks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        List<Observation> seen = [];
        List<Gap> gaps = [];
        foreach (BlockedOnTask blocked in BlockedOnTask.All(context).Where(wait => wait.UiThread is not null && !context.IsInCircle(wait.Wait.Thread) && !IsOutside(context, wait)))
        {
            Fate fate = blocked.Wait.Tasks.Select(task => context.Fates.Of(WaitNode.OfTask(task))).DefaultIfEmpty(Fate.Unknown).Max();
            if (fate == Fate.Progresses)
            {
                seen.Add(Describe(context, blocked));
            }
            else if (fate == Fate.Unknown)
            {
                gaps.Add(GapOf(context, blocked));
            }
        }

        return RuleOutcome.Of(seen, gaps);
    }

    // HT8001 knows more of such waits.
    private static bool IsOutside(RuleContext context, BlockedOnTask wait)
        => context.Find(wait.Wait.Thread) is { } thread && OutsideTask.Of(context, thread) is not null;

    private static Gap GapOf(RuleContext context, BlockedOnTask blocked)
    {
        IEnumerable<string> reasons = blocked.Wait.Tasks
            .SelectMany(task => context.Fates.Ends(task, EndsToName))
            .Select(end => TaskText.WhyUnknown(context, end.Task.Address))
            .OfType<string>();
        return new Gap(
            $"what ends the wait of {Parties.Label(context, blocked.Wait.Thread)}, which {blocked.Doing}",
            reasons.FirstOrDefault() ?? "what completes its task is not known");
    }

    private Observation Describe(RuleContext context, BlockedOnTask blocked)
    {
        ThreadId thread = blocked.Wait.Thread;
        (TaskFacts Task, TaskNeedFacts Need)[] ends = [.. blocked.Wait.Tasks.SelectMany(task => context.Fates.Ends(task, EndsToName)).Take(EndsToName)];
        bool isShort = ends.Length > 0 && ends.All(end => end.Need is { Kind: TaskNeedKind.Timer, SetFor: { } due } && due < Thresholds.ShortTimer);
        string what = context.FindTask(blocked.Wait.Tasks[0]) is { } task ? TaskText.Name(task) : "a task";
        Claim progress = ends.Length > 0 ? TaskText.Need(context, ends[0].Need) : "it has completed";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.UiWaitsForWork,
            Links = LinkTrust.Concluded,
            Signs = isShort ? Sign.ShortTimers : Sign.None,
            Title = $"{blocked.Who(context)} {blocked.Doing} and waits for {what}, which makes progress without this thread: {progress}",
            Culprit = Parties.OfThread(context, thread) with { Role = blocked.Doing },
            Chain = [.. context.Graph.ChainFrom(WaitNode.Of(thread)).Select(edge => Parties.Link(context, edge))],
            Victims = Waiters.PartiesOf(context, context.Graph.ThreadsBehind(WaitNode.Of(thread)), "waits behind it"),
            Evidence =
            [
                .. blocked.Evidence(context, blocked.Wait.Source, blocked.Wait.Trust, blocked.Wait.Tasks[0]),
                .. new[] { blocked.EvidenceOfUi(context) }.OfType<Evidence>(),
                .. ends.Select(end => new Evidence($"{Parties.Label(context, end.Task.Address)}: {TaskText.Need(context, end.Need)}", end.Need.Source, end.Need.Trust)
                {
                    Address = end.Task.Address,
                    Thread = end.Need.Thread,
                }),
            ],
            Advice =
            [
                "Make the handler async and await the task instead of blocking on it: the user interface then lives while the task takes its time.",
            ],
            Signature = Signature.Of(Info, blocked.Stack),
        };
    }
}
