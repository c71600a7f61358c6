using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Stalls;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>Threads wait for a promise that nothing but its waiters can reach.</summary>
public sealed class NeverCompletedTaskRule : IRule
{
    private const int MostEnds = 1_024;

    private static readonly Gap s_inHand = new(
        "task that nothing completes", "a worker of the thread pool was caught between two work items; what it has in hand is not seen");

    private const string OnlyJoins = "besides its waiters, only threads that wait for the end of those lead to it";

    public RuleInfo Info { get; } = new(
        "HT2002", "task that nothing completes", "Threads wait for a task that nothing but those who wait for it still refers to.")
    {
        Patterns = Pattern.NeverCompletedTask,
        Needs = Need.Managed | Need.Tasks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Observation[] seen = [.. Lost(context)];
        return seen.Length > 0 && context.Threads.Any(PoolWorker.IsBetweenItems) ? RuleOutcome.Blind(s_inHand) : RuleOutcome.Of(seen);
    }

    private IEnumerable<Observation> Lost(RuleContext context)
        => from wait in BlockedOnTask.All(context)
           where !wait.Wait.Timeout.Is(WaitLimit.Ends)
           from start in wait.Wait.Tasks
           where context.Fates.Of(WaitNode.OfTask(start)) == Fate.Never && !IsToldOfHost(context, start)
           from end in context.Fates.Ends(start, MostEnds)
           where end.Need.Kind == TaskNeedKind.Nobody || context.Fates.IsLeftToItsWaiters(end.Task)
           let need = end.Need.Kind == TaskNeedKind.Nobody ? end.Need : end.Need with { Source = OnlyJoins }
           group (Wait: wait, Start: start, Need: need) by end.Task into blocked
           select Describe(context, blocked.Key, [.. blocked.Select(wait => (wait.Wait, wait.Start))], blocked.First().Need) into seen
           where seen is not null
           select seen;

    // Of a host that starts or stops its own rule says for which service it waits.
    private static bool IsToldOfHost(RuleContext context, Address start)
        => NeededTasks.Of(context, [start]).Take(MostEnds).Any(needed => needed.Facts?.Method is { } method && HostStage.IsHost(method))
            && HostStage.Of(context) is { Flow: not null } stage && !HostStage.SomethingMoves(context, stage);

    private Observation? Describe(RuleContext context, TaskFacts task, IReadOnlyList<(BlockedOnTask Wait, Address Start)> waits, TaskNeedFacts need)
    {
        WaitNode node = WaitNode.OfTask(task.Address);
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(node);
        (BlockedOnTask first, Address start) = waits.MaxBy(wait => (wait.Wait.UiThread is not null, context.Graph.ThreadsBehind(WaitNode.Of(wait.Wait.Wait.Thread)).Count));
        bool isAlone = victims.Count <= 1 && first.UiThread is null;
        if (isAlone && (task.Kind == TaskKind.Delay || (task.Kind == TaskKind.Promise && first.IsUnderMain && context.IsSeenRunning
            && !SignalUsers.Had(task.Reach, context.Find(first.Wait.Thread) is { } waiter ? [waiter.Thread] : []))))
        {
            // Asleep forever, on purpose; or the promise of a Main that keeps the process alive while others work, as far as is known.
            return null;
        }

        Claim name = Parties.Label(context, task.Address);
        Claim through = start == task.Address ? Claim.Empty : $" (through {(context.FindTask(start) is { } waited ? TaskText.Name(waited) : "a task")})";
        Claim others = victims.Count > 1 ? $"; {Count.More(victims.Count - 1)} {(victims.Count == 2 ? "waits" : "wait")} for it" : Claim.Empty;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.NeverCompletedTask,
            Links = LinkTrust.Concluded,
            Signs = SignsOf(isAlone && (first.IsUnderMain || context.Find(first.Wait.Thread) is null), first.IsInMain && IsDirect(context, start, task)),
            Title = $"{first.Who(context)} {first.Doing}, and nothing left in the process can complete {name}, which it waits for{through}{others}",
            Culprit = Parties.Of(context, node) with { Role = "nothing but those who wait for it refers to it" },
            Chain =
            [
                .. context.Graph.ChainFrom(WaitNode.Of(first.Wait.Thread)).TakeWhile(edge => edge.From != node).Select(edge => Parties.Link(context, edge)),
            ],
            Victims = [.. victims.Select(victim => Parties.Of(context, victim) with { Role = RoleOf(victim, waits) })],
            Evidence =
            [
                new Evidence($"{name}: {need.Source}", "heap search", need.Trust) { Address = task.Address },
                .. waits.SelectMany(wait => wait.Wait.Evidence(context, wait.Wait.Wait.Source, wait.Wait.Wait.Trust, wait.Start)),
            ],
            Advice =
            [
                task.Kind == TaskKind.Semaphore
                    ? "Look for a WaitAsync without its Release, and for a flow that takes the semaphore a second time: a SemaphoreSlim does not know who has it."
                    : "Find where the task was made and who was to complete it: every way out, errors and cancellation too, has to call SetResult, SetException or SetCanceled.",
                "Wait with a timeout or a CancellationToken (Task.WaitAsync) where the answer may not come.",
            ],
            Signature = Signature.Of(Info, first.Stack),
        };
    }

    // A program may keep its Main from ending in this way, while other threads do its work. A thread that is not listed may run Main.
    private static Sign SignsOf(bool isMain, bool isDirect)
        => !isMain ? Sign.None : isDirect ? Sign.MainWaits | Sign.MainWaitsDirectly : Sign.MainWaits;

    /// <summary>Main waits for the promise itself, or its own async method does.</summary>
    private static bool IsDirect(RuleContext context, Address start, TaskFacts task)
        => start == task.Address
            || (context.FindTask(start) is { Method: { } method, Needs: [{ Task: { } only }] } && only == task.Address && method.EndsWith("Main", StringComparison.Ordinal));

    private static Claim RoleOf(WaitNode victim, IReadOnlyList<(BlockedOnTask Wait, Address Start)> waits)
        => waits.FirstOrDefault(wait => wait.Wait.Wait.Thread == victim.Thread).Wait is { } own ? own.Doing : "waits behind it";
}
