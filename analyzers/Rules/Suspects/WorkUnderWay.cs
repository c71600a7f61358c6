using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>
/// Work that a library or .NET has given to the program's code, that leads to what is waited for, and that ends by itself: a handler of a
/// message, a job, a part of a parallel loop. Who gave it continues then. A loop that the program has begun itself is none: it may go round
/// for ever beside a hang; unless it has something in hand, and may end the wait before it takes the next.
/// </summary>
internal sealed class WorkUnderWay(RuleContext context)
{
    // What libraries give their work an end with: Task.ContinueWith (another type in .NET 8), and a method that is called.
    private static readonly string[] s_continuations =
        ["System.Action", "System.Threading.Tasks.StandardTaskContinuation", "System.Threading.Tasks.ContinueWithTaskContinuation"];

    private const int MostEnds = 64;
    private const string Servers = "Microsoft.AspNetCore.";

    /// <summary>Who does it, and for how long it waits, for what a thread waits for; null where there is none.</summary>
    public Claim? For(ThreadId thread) => ReachesOf(thread).Select(For).FirstOrDefault(found => found is not null);

    /// <summary>Who can end what a thread waits for.</summary>
    public IEnumerable<WaitReach?> ReachesOf(ThreadId thread)
        => context.WaitsOf(thread).Select(wait => wait.Reach)
            .Concat(context.Graph.From(WaitNode.Of(thread)).Select(edge => edge.To.Task).OfType<Address>().SelectMany(Reaches));

    // Of the task, of those at the ends of what it waits for, and of what the async methods in between wait for.
    private IEnumerable<WaitReach?> Reaches(Address task)
        => context.Fates.Ends(task, MostEnds).Select(end => end.Task.Reach).Prepend(context.FindTask(task)?.Reach)
            .Concat(NeededTasks.Of(context, [task]).Take(MostEnds).Select(needed => context.Flows.Of(needed.Task)?.Waits.Reach));

    /// <summary>The same for what async methods wait for.</summary>
    public Claim? For(WaitReach? reach)
        => context.Case.IsSaidToHang ? null
            : (reach?.Movers ?? []).Select(Describe).FirstOrDefault(found => found is not null)
                ?? new Bearers(context).FirstThatContinues(reach, Continues);

    private Claim? Describe(ReachMover mover)
        => mover.Thread is { } id ? OfThread(id, mover.HasInHand)
            : context.Flows.Of(mover.Flow) is not { } flow ? null
            : IsGiven(flow, mover.ContinuedBy) || (mover.HasInHand && Continues(flow)) ? (Claim)FlowText.Of(flow)
            : context.Flows.Server.IsPeerOf(flow.Waits.Socket) && Handler() is { } handler ? (Claim)FlowText.Of(handler)
            : null;

    // What the process's own server works on, where it is the other side; or what all of it waits for that somebody has in hand.
    private FlowGroup? Handler()
    {
        FlowGroup[] handlers =
        [
            .. context.Flows.Groups.Where(group => IsOfProgram(group.Method)
                && group.AwaitedBy.Any(method => method.StartsWith(Servers, StringComparison.Ordinal))),
        ];
        return handlers.FirstOrDefault(handler => IsGiven(handler, continuedBy: null))
            ?? (handlers.All(IsInHand) ? handlers.FirstOrDefault() : null);
    }

    private static bool IsInHand(FlowGroup flow) => flow.Waits.Reach?.Movers?.Any(mover => mover.HasInHand) == true;

    private bool IsGiven(FlowGroup flow, string? continuedBy)
        => Continues(flow)
            && IsOfProgram(flow.Method)
            && (flow.AwaitedBy.FirstOrDefault(method => !IsOfProgram(method)) is { } caller ? !HostCalls.Runs(caller)
                : continuedBy is not null && s_continuations.Any(start => continuedBy.StartsWith(start, StringComparison.Ordinal)));

    private bool Continues(FlowGroup flow)
        => (flow.ContinuesByItself() || flow.Waits.Reach?.Signaller is not null || context.Flows.Server.AnswersInTime(flow.Waits.Socket))
            && flow.TriesAgainAfter is null;

    private bool IsOfProgram(string method) => !Frameworks.IsOwn(method) && !context.Flows.IsOfLibrary(method);

    private Claim? OfThread(ThreadId id, bool hasInHand)
        => context.Find(id) is { } thread && !context.Polls.IsStuck(id)
            && (GivenWork.In(thread.Thread) ?? (hasInHand && Workers.IsAwake(context, id) ? UserCode.In(thread.Thread) : null)) is { } work
            ? (Claim)$"{Parties.Label(context, id)} in {Claim.Of(work)}"
            : null;
}
