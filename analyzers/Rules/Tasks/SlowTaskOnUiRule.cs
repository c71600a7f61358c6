using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread that alone serves a user interface blocks on a task that does get on elsewhere.</summary>
public sealed class SlowTaskOnUiRule : IRule
{
    private const int EndsToName = 4;

    // A person notices less than this as slow, not as hung.
    private static readonly TimeSpan s_short = TimeSpan.FromSeconds(1);

    public RuleInfo Info { get; } = new(
        "HT2003", "UI thread blocked on work that gets on", "The thread of a user interface blocks on a task that runs, or waits for time or I/O, elsewhere.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TaskCycles.WhyNot(context, out TaskGraphFacts tasks) is { } why)
        {
            return why;
        }

        FateFinder fates = new(context);
        HashSet<ThreadId> inCycle = [.. context.Graph.Cycles().SelectMany(cycle => cycle).Select(node => node.Thread).OfType<ThreadId>()];
        List<Finding> findings = [];
        List<Gap> gaps = [];
        foreach (BlockedOnTask blocked in BlockedOnTask.All(context, tasks).Where(wait => wait.UiThread is not null && !inCycle.Contains(wait.Wait.Thread)))
        {
            Fate fate = blocked.Wait.Tasks.Select(task => fates.Of(WaitNode.OfTask(task))).DefaultIfEmpty(Fate.Unknown).Max();
            if (fate == Fate.Progresses)
            {
                findings.Add(Describe(context, blocked, fates));
            }
            else if (fate == Fate.Unknown)
            {
                gaps.Add(GapOf(context, blocked, fates));
            }
        }

        return findings.Count > 0 ? RuleOutcome.Found(findings)
            : gaps.Count > 0 ? RuleOutcome.Blind(gaps)
            : RuleOutcome.Clean();
    }

    private static Gap GapOf(RuleContext context, BlockedOnTask blocked, FateFinder fates)
    {
        IEnumerable<string> reasons = blocked.Wait.Tasks
            .SelectMany(task => fates.Ends(task, EndsToName))
            .Select(end => TaskText.WhyUnknown(context, end.Task.Address))
            .OfType<string>();
        return new Gap(
            $"what ends the wait of {Parties.Label(context, blocked.Wait.Thread)}, which {blocked.Doing}",
            reasons.FirstOrDefault() ?? "what completes its task is not known");
    }

    private Finding Describe(RuleContext context, BlockedOnTask blocked, FateFinder fates)
    {
        ThreadId thread = blocked.Wait.Thread;
        Address start = blocked.Wait.Tasks[0];
        (TaskFacts Task, TaskNeedFacts Need)[] ends = [.. blocked.Wait.Tasks.SelectMany(task => fates.Ends(task, EndsToName)).Take(EndsToName)];
        bool isShort = ends.Length > 0 && ends.All(end => end.Need is { Kind: TaskNeedKind.Timer, SetFor: { } due } && due < s_short);
        string what = context.FindTask(start) is { } task ? TaskText.Name(task) : "a task";
        string progress = ends.Length > 0 ? TaskText.Need(context, ends[0].Need) : "it has completed";
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.SlowWait,
            Confidence = isShort ? Confidence.Possible : Confidence.Likely,
            ConfidenceReason = isShort
                ? "the timers that it waits for are short; one capture cannot show how often it waits"
                : "everything that the task needs was followed to work that gets on; one capture cannot show how long it takes",
            Title = $"{blocked.Who(context)} {blocked.Doing}; the task it waits for, {what}, gets on without this thread: {progress}",
            Culprit = Parties.OfThread(context, thread) with { Role = blocked.Doing },
            Chain = [.. context.Graph.ChainFrom(WaitNode.Of(thread)).Select(edge => Parties.Link(context, edge))],
            Victims = [.. context.Graph.ThreadsBehind(WaitNode.Of(thread)).Select(victim => Parties.Of(context, victim) with { Role = "waits behind it" })],
            Evidence =
            [
                new Evidence($"{Parties.Label(context, thread)} {blocked.Doing}", blocked.Wait.Source, blocked.Wait.Trust)
                {
                    Thread = thread,
                    Frame = blocked.Frame is null ? null : FrameText.Of(blocked.Frame),
                    Address = start,
                },
                new Evidence(
                    $"{Parties.Label(context, thread)} alone runs what is posted to its {blocked.UiThread!.ContextType}: {blocked.UiThread.Source}",
                    "synchronization context",
                    blocked.UiThread.Trust) { Thread = thread, Address = blocked.UiThread.Context },
                .. ends.Select(end => new Evidence($"{Parties.Label(context, end.Task.Address)}: {TaskText.Need(context, end.Need)}", end.Need.Source, end.Need.Trust)
                {
                    Address = end.Task.Address,
                    Thread = end.Need.Thread,
                }),
            ],
            Advice =
            [
                "Make the handler async and await the task in place of blocking on it: the user interface then lives while the task takes its time.",
                "No deadlock was found: the wait ends when the task does.",
            ],
            Signature = Signature.Of(Info, blocked.Stack),
        };
    }
}
