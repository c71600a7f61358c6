using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Says why the thread at the end of a chain of waits may be stuck, as far as that is known.</summary>
internal static class StuckOwner
{
    /// <summary>How reasons begin that name the owner.</summary>
    public const string TheOwner = "its owner, ";

    /// <summary>Null for a thread that makes progress.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="last">The end of the chain: from a lock or a thread to the one that has to continue.</param>
    public static string? Why(RuleContext context, WaitEdge last)
    {
        ThreadId owner = last.To.Thread!.Value;
        Claim label = Parties.Label(context, owner);
        string who = last.Kind == EdgeKind.CompletedBy ? "who is to signal it, " : TheOwner;
        return context.Find(owner) switch
        {
            null => $"{who}thread {owner}, is not among the process's threads",
            { } when OutsideLimit.EndsCallOf(context, owner) || IsSignalled(context, owner) || GivesUp(context, owner)
                || Workers.IsAnswered(context, owner) => null,
            { } entering when LockEntry.IsUnderWay(context, entering) => null,
            { State: ThreadActivity.WaitsForObject or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply or ThreadActivity.WaitsForLoader or ThreadActivity.WaitsForLock } waiting =>
                $"{who}{label}, waits{Where(waiting)} {For(context, waiting.Thread)}",
            { } polling when context.Polls.IsStuck(polling.Thread.OsId) =>
                $"{who}{label}, looks again and again{Where(polling)} {PollText.Of(context.FindPoll(owner)!) ?? "at a condition"}, and who would bring that is unknown",
            { State: ThreadActivity.Yielding } => $"{who}{label}, is in a yield, and whether it makes progress is unknown",
            { State: ThreadActivity.Unknown } => $"what {who}{label}, does is unknown",
            _ when last.From.Lock is { } passed && HasChangedHands(context, passed) => null,
            { State: ThreadActivity.WaitsForIo } reader when last.From.Lock is { } held && IsHeldOn(context, held) && Timeouts.InCallOf(reader.Thread) != true
                && !IsForWorkAlone(context, last) =>
                $"{who}{label}, waits for input or output{Where(reader)}, and when that ends is unknown",
            { State: ThreadActivity.Sleeping } asking when last.From.Lock is { } held && IsHeldOn(context, held)
                && AskingLoop.IsIn(context, asking) && !HasGotOn(context, asking.Thread) =>
                $"{who}{label}, waits{Where(asking)} {PollText.Of(context.FindPoll(owner)!) ?? "for an answer"}, and who would bring that is unknown",
            { State: ThreadActivity.Running, Thread.Cpu.Gap: not null } computing when last.From.Lock is { } held && IsHeldOn(context, held) && OpenWork.Of(context, computing.Thread) is { } work =>
                $"{who}{label}, {work}, and whether it makes progress is unknown",
            { } busy when last.From.Lock is { } held && IsHeldOn(context, held) && Crowding(context, last.To) is { } crowd =>
                WhyCrowded(context, busy, who, label, crowd),
            _ => null,
        };
    }

    /// <summary>The same for a thread that waits for a task under a lock: the task needs input that may not come.</summary>
    public static string? WhyOnTask(RuleContext context, Address task, WaitNode waiter)
        => context.FindTask(task)?.Needs.Any(need => need.Kind == TaskNeedKind.Io) == true
            && !OutsideLimit.EndsRequestOf(context, waiter.Thread!.Value)
            ? $"an operation of the system has to end for {Parties.Label(context, task)}, which {Parties.Label(context, waiter.Thread!.Value)} waits for, and when it does is unknown"
            : null;

    private static string For(RuleContext context, ThreadFacts owner)
        => WaitText.Of(context, owner.OsId) is { } what ? $"for {what.Label}; who ends that is not recorded" : "for something that is not recorded";

    // Somebody surely gives what it waits for.
    private static bool IsSignalled(RuleContext context, ThreadId owner)
        => context.WaitsOf(owner) is { Count: > 0 } waits && waits.All(wait => Workers.CanEnd(context, wait));

    // By a limit, and it does not wait for the same once more.
    private static bool GivesUp(RuleContext context, ThreadId owner)
        => !context.Polls.TriesAgain(owner)
            && context.WaitsOf(owner) is { Count: > 0 } waits && waits.All(wait => wait.Timeout.Is(WaitLimit.EndsBeforeOwner));

    private static string Where(ThreadAssessment thread) => WaitPlace.Of(thread.Thread) is { } place ? $" ({place})" : string.Empty;

    // Not where one of those who wait was just told to try: then the lock was released a moment ago. Nor for a SpinLock, for
    // which nobody stands in a queue, nor for what the runtime runs once, which takes what it takes.
    private static bool IsHeldOn(RuleContext context, LockId held) => held.Kind != LockKind.SpinLock && !held.Kind.IsOfRuntime() && context.Find(held)?.HasWokenWaiter != true;

    // An earlier sample shows it in another thread's hands: it is passed on, and its owner has had it for less than that.
    private static bool HasChangedHands(RuleContext context, LockId held)
        => context.Find(held) is { } @lock && context.Timeline.Of(@lock) is { IsSameOwner: false, OwnerThen: not null };

    // Those who take the next item that comes from outside have nothing to do, and nobody waits for them.
    private static bool IsForWorkAlone(RuleContext context, WaitEdge last)
        => last.Kind == EdgeKind.CompletedBy
            && context.Graph.To(last.From).Select(edge => edge.From).ToArray() is { Length: > 0 } waiters
            && waiters.All(waiter => waiter.Thread is { } id && context.Find(id) is { } thread && IdleWait.IsForWork(thread)
                && context.Graph.ThreadsBehind(waiter).Count == 0);

    // The frames of an earlier sample had other values: it asks for the next thing, or is in another round of an outer loop.
    private static bool HasGotOn(RuleContext context, ThreadFacts owner)
        => context.FindWork(owner.OsId) is { } work && context.Timeline.OfWork(owner, work)?.HasChanged == true;

    private static int? Crowding(RuleContext context, WaitNode owner)
        => context.Graph.ThreadsBehind(owner).Count is >= Thresholds.Crowd and int count ? count : null;

    // A crowd behind an owner that computes or sleeps is a hang or a busy moment; the owner's processor time, or the length of
    // its sleep, would tell which.
    private static string? WhyCrowded(RuleContext context, ThreadAssessment owner, string who, Claim label, int crowd)
    {
        string? does = owner switch
        {
            { State: ThreadActivity.Running, Thread.Cpu.Gap: not null } when OpenWork.IsLimited(context, owner.Thread) => null,
            { State: ThreadActivity.Running, Thread.Cpu.Gap: not null } => WaitPlace.InProgram(owner.Thread) is { } place
                ? $"computes in {place},"
                : "computes",
            { State: ThreadActivity.Sleeping } when Timeouts.InCallOf(owner.Thread) != true => $"sleeps{Where(owner)}",
            _ => null,
        };
        return does is null
            ? null
            : $"{who}{label}, {does} while {crowd} threads wait, and for how long it has is not in the input";
    }
}
