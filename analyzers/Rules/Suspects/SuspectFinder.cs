using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Outside;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>
/// Finds the waits of the program's own code that no rule explains, that are not known to end and not known to be idling.
/// NotHung needs a reason for every wait; each of these is one without.
/// </summary>
internal sealed class SuspectFinder(RuleContext context)
{
    private const int MostEnds = 64;
    private const string Opens = "Microsoft.Win32.SafeHandles.SafeFileHandle.Open";

    private readonly WorkUnderWay _work = new(context);

    // Where others wait for the lock, its owner has been judged by what it does to them.
    private readonly HashSet<ThreadId> _holders =
    [
        .. context.Locks
            .Where(@lock => @lock.IsHeld.Is(held => held) && context.Graph.To(WaitNode.Of(@lock.Id)).Count == 0)
            .Select(@lock => @lock.Owner)
            .Where(owner => owner.HasValue)
            .Select(owner => owner.Value),
    ];

    // The child may wait for the end of its input, which this process has open. A supervisor that nobody waits for idles all the same.
    private readonly HashSet<ThreadId> _keepChildWaiting =
    [
        .. context.Threads
            .Where(thread => OutsideRequest.Of(context, thread)?.IsInputOpen == true)
            .Select(thread => thread.Thread.OsId)
            .Where(thread => ImportantThreads.Contain(context, thread) || IsWaitedFor(context, thread)),
    ];

    /// <param name="explained">Threads whose wait a finding or another gap explains.</param>
    /// <returns>The heaviest first; one for all threads that wait for the same thing in the same method.</returns>
    public IReadOnlyList<Suspect> Find(IReadOnlySet<ThreadId> explained)
        =>
        [
            .. context.Threads
                .Where(thread => !explained.Contains(thread.Thread.OsId) && IsOpen(thread))
                .GroupBy(thread => (context.WaitsOf(thread.Thread.OsId) is [var wait, ..] ? wait.Lock : null, UserCode.In(thread.Thread)?.Method))
                .Select(group => Describe([.. group.OrderByDescending(WeightOf)]))
                .OrderByDescending(suspect => suspect.Weight)
                .ThenByDescending(suspect => suspect.Waiters.Count),
        ];

    private bool IsOpen(ThreadAssessment thread)
        => KindOf(thread) is not null
            && !thread.IsWoken
            && IsOfProgram(thread.Thread)
            && UserCode.In(thread.Thread) is not null
            && (!HasTimeoutInCall(thread.Thread) || IsInCircle(thread.Thread.OsId) || Retries(thread) || GoesRound(thread) || (thread.State != ThreadActivity.WaitsForIo && IsOutside(thread)))
            && OutsideRequest.Of(context, thread) is not ({ HasTimeout: true } or { IsHeldInPassing: true })
            && (IsInCircle(thread.Thread.OsId) || !IsKnownToEnd(thread.Thread.OsId))
            && !HasMovedOn(thread.Thread)
            && (GoesRound(thread) || KeepsChildWaiting(thread) || IdleWait.Why(context, thread) is null);

    // A time limit that the runtime records says more than that the system call has one.
    private bool HasTimeoutInCall(ThreadFacts thread)
        => Timeouts.InCallOf(thread) == true
            && !context.WaitsOf(thread.OsId).Any(wait => wait.Timeout.Is(WaitLimit.IsEndless))
            && context.FindTaskWait(thread.OsId)?.Timeout.Is(WaitLimit.IsEndless) != true;

    // It was elsewhere in an earlier sample, or waited for something else: that wait has ended, as this one may. A trace that shows it running says the
    // same. One that goes round a loop which nobody ends works and sleeps without moving on: only its place tells.
    private bool HasMovedOn(ThreadFacts thread)
        => context.Polls.IsStuck(thread.OsId) ? !context.Case.IsSaidToHang && context.Timeline.Of(thread) is { } history && (!history.IsSamePlace || history.IsSameWait == false)
            : context.Traced.RunOf(thread.OsId) is not null || (!context.Case.IsSaidToHang && context.Timeline.Of(thread)?.HasMovedOn == true);

    // Native stacks of Linux are not read: such a thread without managed code is the runtime's or a library's.
    private bool IsOfProgram(ThreadFacts thread) => context.Snapshot.Target.Os != TargetOs.Linux || thread.ManagedId is not null || thread.Stack.Frames.Any(UserCode.IsManaged);

    // What a task or thread at the end of the chain does is judged by itself.
    private bool IsKnownToEnd(ThreadId thread)
    {
        IReadOnlyList<WaitEdge> edges = context.Graph.From(WaitNode.Of(thread));
        return edges.Any(edge => edge.EndsByItself)
            || (!Retries(thread) && context.WaitsOf(thread).Any(wait => wait.Timeout.Is(WaitLimit.Ends)))
            || (edges.Count > 0 && context.Fates.Of(WaitNode.Of(thread)) == Fate.Progresses && !NeedsInput(edges))
            || (edges.Count > 0 && edges.All(edge => edge.To.Thread is not null))
            || context.WaitsOf(thread).Any(wait => Workers.CanEnd(context, wait));
    }

    // That a timeout ends it is known, and not whether that is in a second or in a day: until then it is a deadlock.
    private bool IsInCircle(ThreadId thread)
        => context.IsInCircle(thread) && context.Graph.From(WaitNode.Of(thread)).Any(edge => edge is { HasSomeTimeout: true, Alternatives: 1 });

    private bool KeepsChildWaiting(ThreadAssessment thread) => _keepChildWaiting.Contains(thread.Thread.OsId);

    // By a thread that does not give up by itself.
    private static bool IsWaitedFor(RuleContext context, ThreadId thread)
        => context.Graph.ThreadsBehind(WaitNode.Of(thread)).Any(behind => context.Graph.From(behind).Any(edge => !edge.EndsByItself));

    private bool NeedsInput(IReadOnlyList<WaitEdge> edges)
        => edges.Select(edge => edge.To.Task).OfType<Address>()
            .SelectMany(task => context.Fates.Ends(task, most: 64))
            .Any(end => end.Need.Kind == TaskNeedKind.Io);

    private bool Retries(ThreadAssessment thread) => Retries(thread.Thread.OsId);

    // What the thread does between two looks is no wait of its own.
    private bool GoesRound(ThreadAssessment thread)
        => RetriesAfterFailure(thread) || Spins(thread) || AwaitsCollection(thread) || AskingLoop.IsIn(context, thread);

    // Without a pause worth the name one goes round for what comes at once: who is caught at it has gone round for long.
    private bool Spins(ThreadAssessment thread) => thread.State == ThreadActivity.Yielding && context.FindPoll(thread.Thread.OsId)?.WaitsForOthers() == true;

    // It would have ended its loop had the try not failed; what it tries is in no field, so nobody here is known to change it.
    private bool RetriesAfterFailure(ThreadAssessment thread)
        => context.FindPoll(thread.Thread.OsId) is { Calls.Count: > 0 } poll
            && (poll.Traits & (PollTraits.AfterFailure | PollTraits.HasExit | PollTraits.HasLimit | PollTraits.HasToken)) == (PollTraits.AfterFailure | PollTraits.HasExit)
            && !poll.Fields.Any(PollCalls.IsOrderToEnd);

    // How programs wait for the unload of an AssemblyLoadContext.
    private bool AwaitsCollection(ThreadAssessment thread)
        => context.FindPoll(thread.Thread.OsId) is { } poll && poll.EndsByCollection() && !IsKeptByWork(thread.Thread.OsId);

    // A thread at work keeps what it works with until it has done that.
    private bool IsKeptByWork(ThreadId waiter)
        => !context.Case.IsSaidToHang
            && CollectionText.WaitOf(context, waiter)?.Keeper is { } known
            && known.TryGet(out KeeperFacts? keeper)
            && keeper.Thread is { } thread && thread != waiter
            && context.Find(thread) is { } found && IsAtWork(found);

    private static bool IsAtWork(ThreadAssessment thread)
        => thread.State == ThreadActivity.Yielding || Timeouts.IsAwake(thread);

    // A timeout leads to the next try. While something in the process makes progress, that may bring what it waits for.
    private bool Retries(ThreadId thread)
        => context.Polls.IsStuck(thread)
            || (context.FindPoll(thread) is { } poll && poll.WaitsForOthers() && context.Find(thread)?.State == ThreadActivity.WaitsForObject && !context.Flows.SomethingMoves());

    private SuspectKind? KindOf(ThreadAssessment thread) => thread.State switch
    {
        ThreadActivity.Sleeping or ThreadActivity.Yielding or ThreadActivity.Running when context.Polls.IsStuck(thread.Thread.OsId) => SuspectKind.Signal,
        ThreadActivity.Sleeping or ThreadActivity.Yielding or ThreadActivity.Running or ThreadActivity.WaitsForObject when AwaitsCollection(thread) => SuspectKind.Signal,
        ThreadActivity.Yielding when Spins(thread) => SuspectKind.Signal,
        ThreadActivity.Sleeping when RetriesAfterFailure(thread) => SuspectKind.Outside,
        ThreadActivity.Sleeping when AskingLoop.IsIn(context, thread) => SuspectKind.Signal,
        ThreadActivity.WaitsForIo or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply => SuspectKind.Outside,
        ThreadActivity.WaitsForObject or ThreadActivity.Sleeping or ThreadActivity.Yielding when IsOutside(thread) => SuspectKind.Outside,
        ThreadActivity.WaitsForObject when KeepsChildWaiting(thread) => SuspectKind.Outside,
        ThreadActivity.WaitsForObject when TasksOf(thread) is { Count: > 0 } tasks => OfTasks(thread, tasks),
        ThreadActivity.WaitsForObject => SuspectKind.Signal,
        ThreadActivity.WaitsForLock when IsInCircle(thread.Thread.OsId) => SuspectKind.Signal,
        _ => null,
    };

    // It sleeps or yields between two tries.
    private bool IsOutside(ThreadAssessment thread) => OutsideCall.In(thread.Thread.Stack.Frames) is not null || OutsideSystemCall.Of(context, thread.Thread) is not null;

    private IReadOnlyList<WaitEdge> TasksOf(ThreadAssessment thread)
        => [.. context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Where(edge => edge.To.Task is not null)];

    // Of an async Main the main thread shows no more than that it is async: what its flows wait for counts.
    private SuspectKind? OfTasks(ThreadAssessment thread, IReadOnlyList<WaitEdge> tasks)
        => UserCode.IsUnderMain(thread.Thread.Stack.Frames) && context.FindUiThread(thread.Thread.OsId) is null ? null
            : NeedsInput(tasks) ? SuspectKind.Outside
            : SuspectKind.Task;

    // A promise is kept once: nobody idles at one, but a library's own thread that waits for its end.
    private bool IsAtPromise(ThreadAssessment thread)
        => KindOf(thread) == SuspectKind.Task
            && (UserCode.HasSource(thread.Thread) || !context.Threads.Any(other => UserCode.HasSource(other.Thread)))
            && TasksOf(thread).All(edge => context.Fates.Ends(edge.To.Task!.Value, MostEnds) is { Count: > 0 } ends
                && ends.All(end => end.Need.Kind == TaskNeedKind.Unknown));

    private Suspect Describe(ThreadAssessment[] threads)
    {
        ThreadAssessment first = threads[0];
        ThreadId id = first.Thread.OsId;
        SuspectKind kind = KindOf(first) ?? SuspectKind.Unknown;
        OutsideRequest? request = OutsideRequest.Of(context, first);
        Claim what = CollectionText.WaitOf(context, id) is { } collected ? $" until {CollectionText.Until(collected)}; {CollectionText.Keeper(context, collected, collected.Keeper.Value)}"
            : request is { IsInputOpen: true } ? $" for {OutsideText.Thing(request)}, whose input is still open"
            : request is not null ? $" for {OutsideText.Thing(request)}"
            : WaitText.Of(context, id)?.Label is { } target ? $" for {target}"
            : context.FindPoll(id) is { } poll && PollText.Of(poll) is { } condition ? $" {condition}"
            : Claim.Empty;
        Claim place = request is not null ? $"in {OutsideText.Place(request)}"
            : WaitPlace.InProgram(first.Thread) is { } known ? $"in {known}" : "in a place that is unknown";
        WaitReach? given = GivenOf(id);
        Claim? work = _work.For(id);
        (Party Last, Claim Text)? bearers = _work.ReachesOf(id).Select(reach => new Bearers(context).Of(reach, id))
            .FirstOrDefault(all => all is not null);
        Claim open = GiverText.Of(given) is { } giver ? (Claim)$", {giver}" : bearers?.Text ?? $", and {Open(kind)}";
        Claim more = threads.Length > 1 ? $" and {Count.More(threads.Length - 1)} wait" : (Claim)" waits";
        return new Suspect
        {
            Kind = kind,
            Weight = WeightOf(first),
            Count = threads.Length,
            Waiters = [.. threads.Select(thread => Parties.OfThread(context, thread.Thread.OsId))],
            Title = work is null ? (Claim)$"{Parties.Label(context, id)}{more} {place}{what}{open}"
                : $"{Parties.Label(context, id)}{more} {place}{what}",
            Unknown = new Gap(
                $"what ends the wait of {Parties.Label(context, id)}{(threads.Length > 1 ? $" and {threads.Length - 1} more" : string.Empty)}",
                $"it waits {place}{what}{open}"),
            Chain = context.Graph.ChainFrom(WaitNode.Of(id)),
            Work = work,
            OwnGiver = given?.OwnGiver,
            FailedGiver = given?.FailedGiver,
            Bearer = bearers?.Last,
        };
    }

    // Of what it waits for, that of which it is known who alone could end it.
    private WaitReach? GivenOf(ThreadId thread)
        => _work.ReachesOf(thread).FirstOrDefault(reach => reach is { OwnGiver: not null } or { FailedGiver: not null });

    private static string Open(SuspectKind kind) => kind switch
    {
        SuspectKind.Outside => "when the other side answers is unknown",
        SuspectKind.Task => "when that task completes is unknown",
        _ => "what will end that wait is unknown",
    };

    private Weight WeightOf(ThreadAssessment thread)
    {
        ThreadId id = thread.Thread.OsId;
        bool isOutside = KindOf(thread) == SuspectKind.Outside;
        return isOutside && IsForAMoment(thread) ? Weight.None
            : context.FindUiThread(id) is not null || WindowThreads.Dispatches(thread.Thread) ? Weight.UiThread
            : UserCode.IsUnderMain(thread.Thread.Stack.Frames) ? Weight.MainThread
            : _holders.Contains(id) || IsInCircle(id) ? Weight.HoldsLock
            : KeepsChildWaiting(thread) ? Weight.Joined
            : IsJoined(id) && (!isOutside || thread.State is ThreadActivity.Sleeping or ThreadActivity.Yielding) ? Weight.Joined
            : IsInWork(thread) && !isOutside ? Weight.InWorkItem
            : IsAtPromise(thread) || IsPulsedByNobody(id) || GivenOf(id)?.FailedGiver is not null ? Weight.InWorkItem
            : OneTimeWait.Is(context, id) || Spins(thread) || NeededWait.Is(thread.Thread) ? Weight.InWorkItem
            : Weight.None;
    }

    private bool IsInWork(ThreadAssessment thread)
        => PoolWorker.IsAtWork(thread.Thread) || AskingLoop.IsInJob(context, thread) || GivenWork.IsIn(thread.Thread);

    // A program that writes is caught at it now and then; only one that sleeps between two tries has been there for a while. To open a file
    // is far shorter, but for a named pipe, whose other end that waits for, and for a file system that does not answer.
    private static bool IsForAMoment(ThreadAssessment thread)
        => thread.State is not (ThreadActivity.Sleeping or ThreadActivity.Yielding)
            && OutsideCall.In(thread.Thread.Stack.Frames)?.Row is { Awaits: OutsideWait.Moment } row
            && !(row.Outside == OutsideEnd.File && thread.Thread.Stack.Frames.Any(frame => frame.Method?.StartsWith(Opens, StringComparison.Ordinal) == true));

    // Nothing leads to the monitor but those that wait for its pulse. A worker that nobody needs any more looks so, too.
    private bool IsPulsedByNobody(ThreadId thread)
        => context.WaitsOf(thread) is [{ Kind: WaitKind.Pulse, Reach: { By: null, IsInStatic: false, Holders: { Count: > 1 } holders } } wait, ..]
            && holders.All(holder => holder.Thread is { } other && context.WaitsOf(other).Any(own => own.Kind == WaitKind.Pulse && own.Lock == wait.Lock));

    private bool IsJoined(ThreadId thread) => context.Graph.To(WaitNode.Of(thread)).Any(edge => edge is { Kind: EdgeKind.WaitsForEnd, EndsByItself: false });
}
