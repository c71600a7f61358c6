using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>
/// A loop that somebody has called to wait for an answer: it asks a method again and again, sleeps in between, and nothing but what that
/// method returns ends it. Who could change that is not seen, since it is not a field of the loop's.
/// </summary>
internal static class AskingLoop
{
    public static bool IsIn(RuleContext context, ThreadAssessment thread)
        => thread.State == ThreadActivity.Sleeping
            && context.FindPoll(thread.Thread.OsId) is { } poll
            && EndsByAnswer(poll)
            && (CallerOf(poll, thread.Thread) is not null || IsMeantToEnd(context, thread.Thread, poll));

    /// <summary>The same of an async method that Main waits for, through another method of the program's.</summary>
    public static bool IsIn(RuleContext context, FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Delay, CancelsByTimer: false }
            && context.Polls.OfFlow(group) is { } poll
            && EndsByAnswer(poll)
            && group.AwaitedBy.Any(method => !Frameworks.IsOwn(method) && !UserCode.IsMain(method))
            && context.Flows.IsForMain(group);

    private static bool EndsByAnswer(PollFacts poll)
        => poll.Calls.Count > 0
            && (poll.Traits & (PollTraits.HasExit | PollTraits.HasLimit | PollTraits.HasToken | PollTraits.GivesBack | PollTraits.AfterFailure)) == PollTraits.HasExit
            && !IsEnumeration(poll)
            && !poll.Fields.Concat(poll.Calls).Any(PollCalls.IsOrderToEnd);

    // A loop over what there is ends with that.
    private static bool IsEnumeration(PollFacts poll)
        => poll.Calls.Any(call => call.Contains("Enumerator.", StringComparison.Ordinal))
            && poll.Calls.All(Frameworks.IsOfBaseLibrary);

    /// <summary>The same where a library runs it, as it runs jobs: it is meant to end.</summary>
    public static bool IsInJob(RuleContext context, ThreadAssessment thread)
        => IsIn(context, thread)
            && context.FindPoll(thread.Thread.OsId) is { } poll
            && thread.Thread.Stack.Frames.LastOrDefault(UserCode.IsManaged)?.Method is { } outermost
            && CallNames.Root(outermost) != CallNames.Root(poll.Method);

    // Somebody waits for the end of the thread, and no field could tell the loop to end before it has its answer.
    private static bool IsMeantToEnd(RuleContext context, ThreadFacts thread, PollFacts poll)
        => poll.Fields.Count == 0 && context.Graph.ThreadsBehind(WaitNode.Of(thread.OsId)).Count > 0;

    // The method that a thread begins with, or the lambda around it, goes round for as long as there is work.
    private static FrameFacts? CallerOf(PollFacts poll, ThreadFacts thread)
        => thread.Stack.Frames
            .SkipWhile(frame => frame.Method is not { } method || CallNames.WithoutSignature(method) != CallNames.WithoutSignature(poll.Method))
            .Skip(1)
            .FirstOrDefault(frame => UserCode.IsManaged(frame) && !frame.Method!.Contains("+<>c", StringComparison.Ordinal));
}
