using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Suspects;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Signals;

/// <summary>
/// Whether a wait that nothing can end is a hang: it keeps the program from something. Workers that nobody needs any more wait
/// forever in healthy programs, and so does a Main that keeps the process alive; not so a Main that was to do work of a queue.
/// </summary>
internal sealed class LostWaitWeight(RuleContext context)
{
    private const string Primitives = "System.Threading.";

    public bool Matters(LostWait wait) => wait.Flow is { } flow ? OfFlow(wait, flow) : OfThreads(wait);

    /// <summary>The threads that wait for it or behind it, nearest first.</summary>
    public IReadOnlyList<ThreadId> ThreadsBehind(LostWait wait)
        => wait.Flow is { } flow
            ? [.. context.Graph.ThreadsBehind(WaitNode.OfTask(flow.Sample)).Select(node => node.Thread!.Value)]
            : [.. wait.Waits.Select(own => own.Thread), .. context.Graph.UpstreamOf([.. wait.Waits.Select(own => WaitNode.Of(own.Thread))]).Select(node => node.Thread).OfType<ThreadId>()];

    private bool OfThreads(LostWait wait)
    {
        ThreadAssessment[] threads = [.. wait.Waits.Select(own => context.Find(own.Thread)).OfType<ThreadAssessment>()];
        if (threads.Length == 0 || threads.All(thread => IdleWait.Why(context, thread) is not null))
        {
            return threads.Length > 0 && (IsDeadEnd(wait, threads) || IsLostWorkOfMain(wait, threads));
        }

        if (HadUsers(wait, threads))
        {
            return threads.Any(thread => UserCode.IsUnderMain(thread.Thread.Stack.Frames)) || HasBehind(wait, threads);
        }

        bool mayKeepAlive = threads.All(thread => MayKeepAlive(wait, thread.Thread));

        // Who has something that there is no room for has work that stands still.
        return threads.Any(thread => context.FindUiThread(thread.Thread.OsId) is not null || NeededWait.IsForRoom(thread.Thread))
            || context.LostWaits.Behind(wait).Any()
            || (threads.Any(thread => UserCode.IsUnderMain(thread.Thread.Stack.Frames))
                ? !mayKeepAlive || (context.IsQuiet && (threads.Any(IsDeep) || threads.Any(HoldsUp)))
                : (!wait.Reach.IsInStatic || (context.IsQuiet && Counts(threads))) && (context.IsQuiet || !mayKeepAlive || threads.All(IsInTheMiddle))
                    && HasBehind(wait, threads));
    }

    private bool HasBehind(LostWait wait, ThreadAssessment[] threads)
        => ThreadsBehind(wait).Count > threads.Length || threads.Any(thread => PoolWorker.IsAtWork(thread.Thread));

    // A worker keeps no process alive, and this one is deep in what it was given to do.
    private static bool IsInTheMiddle(ThreadAssessment thread) => PoolWorker.IsAtWork(thread.Thread) && IsDeep(thread);

    private static bool HadUsers(LostWait wait, ThreadAssessment[] threads) => SignalUsers.Had(wait.Reach, threads.Select(thread => thread.Thread));

    // Workers at an empty queue are idle; but not where Main waits for their end, and nothing is left in the process that runs or could.
    private bool IsDeadEnd(LostWait wait, ThreadAssessment[] threads)
        => ((context.IsQuiet && !wait.Reach.IsInStatic) || HadUsers(wait, threads))
            && threads.All(thread => thread.State == ThreadActivity.WaitsForObject && !UserCode.IsUnderMain(thread.Thread.Stack.Frames))
            && ThreadsBehind(wait).Any(behind => context.Find(behind) is { } found && UserCode.IsUnderMain(found.Thread.Stack.Frames));

    // Main was to do the work, and nobody is left who could bring any. Work that a context of Main's own has is that of async methods.
    private bool IsLostWorkOfMain(LostWait wait, ThreadAssessment[] threads)
        => (!wait.Reach.IsInStatic || HadUsers(wait, threads))
            && threads.Any(thread => UserCode.IsUnderMain(thread.Thread.Stack.Frames)
                && IdleWait.IsForWork(thread)
                && context.FindUiThread(thread.Thread.OsId) is null);

    // new ManualResetEvent(false).WaitOne() is how some programs keep from ending. What counts, a pulse, and a library's own wait are
    // not used for that.
    private static bool MayKeepAlive(LostWait wait, ThreadFacts thread)
        => wait.Waits[0].Kind == WaitKind.Signal
            && thread.Stack.Frames.TakeWhile(frame => !UserCode.IsManaged(frame)).Where(frame => frame.Kind == FrameKind.Managed && !UserCode.IsStub(frame)).Select(frame => frame.Method ?? string.Empty)
                .All(method => method.StartsWith(Primitives, StringComparison.Ordinal) && !NeededCalls.Counts(method));

    // How many have to come is fixed, and who has come waits for the others: that is no way to wait for work.
    private static bool Counts(ThreadAssessment[] threads)
        => threads.All(thread => thread.Thread.Stack.Frames.Any(NeededWait.Counts));

    // Whoever keeps the process alive needs no lock for that, and has none that others want.
    private bool HoldsUp(ThreadAssessment thread)
        => context.Locks.Any(held => held.Owner.Is(owner => owner == thread.Thread.OsId)
            && context.Graph.To(WaitNode.Of(held.Id))
                .Any(edge => edge is { EndsByItself: false, From.Thread: { } other } && other != thread.Thread.OsId));

    private static bool IsDeep(ThreadAssessment thread)
        => thread.Thread.Stack.Frames.Count(frame => UserCode.IsManaged(frame) && !UserCode.IsMain(frame.Method!)) > Thresholds.FramesOfIdlingMain;

    private bool OfFlow(LostWait wait, FlowGroup flow)
    {
        // Of the framework's own those alone are here that await lost work of the program. Who has something that there is no room for has
        // work that stands still.
        if (wait.Reach.IsGivenByNobody || LostWaits.ProgramMethod(flow) is null || context.LostWaits.BlockBefore(flow) is not null
            || context.LostWaits.AbandonedGiver(wait.Reach) is not null)
        {
            return true;
        }

        if (IdleFlow.Is(context, flow) || (flow.IdlesByToken() && !context.Flows.IsQuestion(flow)))
        {
            return false;
        }

        bool isAwaited = ThreadsBehind(wait).Count > 0;
        return flow.Waits switch
        {
            { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe, Queue.Waits: FlowQueueEnd.Writer } => true,
            { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } => isAwaited && !wait.Reach.IsInStatic,
            { Kind: FlowWaitKind.Semaphore, Entries: { } entries } => entries.Left == 0 && (flow.IsForLock() || (isAwaited && !wait.Reach.IsInStatic)),
            { Kind: FlowWaitKind.Task } => OfPromise(wait, flow, isAwaited),
            { Kind: FlowWaitKind.Custom } => flow.IsInLoop == false && OfPromise(wait, flow, isAwaited),
            _ => false,
        };
    }

    // Others ask in the same place, and are answered.
    private bool IsOneOfMany(FlowGroup flow)
        => context.Flows.Groups.Any(other => other != flow && other.Method == flow.Method && other.Await == flow.Await);

    // What one method alone waits for, while other things run, may be what is to end the program; not where code of the program was to
    // keep the promise, and nobody comes there any more, or where it brings something that is wanted, or is one of several. A block that
    // nobody can reach any more gets no item and is not told to complete.
    private bool OfPromise(LostWait wait, FlowGroup flow, bool isAwaited)
        => context.Flows.IsOfProgram(flow)
            && (flow.Count > 1
                || IsOneOfMany(flow)
                || (isAwaited && !wait.Reach.IsInStatic && DataflowCalls.IsCompletion(flow.Waits.Type))
                || context.LostWaits.Behind(wait).Any()
                || (isAwaited && flow.Waits.LostParts > 0)
                || (isAwaited && SignalUsers.Had(wait.Reach, []))
                || ((isAwaited || flow.AwaitedBy.Count > 0) && !wait.Reach.IsInStatic && WantedResult.Is(flow.Waits))
                || (context.IsQuiet && (isAwaited || (flow.AwaitedBy.Count > 0 && !wait.Reach.IsInStatic))));
}
