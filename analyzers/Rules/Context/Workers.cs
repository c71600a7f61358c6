using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Threads whose work can end a wait.</summary>
internal static class Workers
{
    /// <summary>
    /// A thread that leads to what is waited for computes at this moment, and goes round no condition that somebody else would have
    /// to bring; or it sleeps for a time, a timer is set or an item queued, and nothing leads to what is waited for but code that gives
    /// it. Or somebody who is awake comes to a call that ends the wait on every way, or waits for an answer that the process itself gives in
    /// time. Where the user says that the process hangs that is no reason any more.
    /// </summary>
    public static bool CanEnd(RuleContext context, WaitReach? reach)
        => !context.Case.IsSaidToHang
            && reach switch
            {
                { Signaller: { Thread: { } signaller } } when IsAwake(context, signaller) => true,
                { Signaller.Thread: null } => true,
                { By: FlowRoot.Thread, Thread: { } id } => context.Find(id) is { } thread && !context.Polls.IsStuck(id)
                    && (thread.State == ThreadActivity.Running || (reach.IsByGiversAlone && Timeouts.Sleeps(thread))),
                { By: FlowRoot.Timer or FlowRoot.PoolQueue, IsByGiversAlone: true } => true,
                { By: FlowRoot.InputOutput, Thread: { } asker } => IsAnswered(context, asker),
                _ => false,
            };

    /// <summary>The thread waits for an answer that another thread or async method of the process works on, and gives in time.</summary>
    public static bool IsAnswered(RuleContext context, ThreadId asker)
        => !context.Case.IsSaidToHang && context.Flows.Server.AnswersInTime(context.FindOutside(asker)?.FindSocket());

    /// <summary>The same for a thread's wait: of pulses, which many give who mean others, only who surely gives one counts.</summary>
    public static bool CanEnd(RuleContext context, WaitFacts wait)
        => (wait.Kind == WaitKind.Signal || (wait.Kind == WaitKind.Pulse && wait.Reach?.Signaller is not null))
            && CanEnd(context, wait.Reach);

    /// <summary>The thread works, sleeps for a time, or waits for one: what is behind that it comes to.</summary>
    public static bool IsAwake(RuleContext context, ThreadId id)
        => context.Find(id) is { } thread && !context.Polls.IsStuck(id)
            && (Timeouts.IsAwake(thread) || WaitsForATime(context, id) || OutsideLimit.EndsCallOf(context, id));

    private static bool WaitsForATime(RuleContext context, ThreadId id)
        => context.WaitsOf(id).Select(wait => wait.Timeout).Concat(context.FindTaskWait(id) is { } task ? [task.Timeout] : []).ToArray()
                is { Length: > 0 } limits
            && limits.All(limit => limit.TryGet(out TimeSpan length) && WaitLimit.Ends(length));

    /// <summary>
    /// Something that runs, or that will, leads to what is waited for: a timer, the queue of the pool, input or output, a thread of the
    /// program's. It may end the wait, which is more than nothing and less than a proof.
    /// </summary>
    public static bool MayEnd(RuleContext context, WaitReach? reach)
        => !context.Case.IsSaidToHang
            && reach switch
            {
                { By: FlowRoot.Timer or FlowRoot.PoolQueue or FlowRoot.InputOutput } => true,
                { By: FlowRoot.Thread, Thread: { } id } => context.Find(id) is { } thread && thread.Thread.Stack.Frames.Any(UserCode.IsManaged),
                _ => false,
            };
}
