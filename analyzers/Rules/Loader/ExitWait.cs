using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>
/// A process that does not end: its last thread ends it, and a library's code waits meanwhile. The end of a process begins with
/// that of all its other threads, so nobody in it is left to give what is waited for.
/// </summary>
internal static class ExitWait
{
    /// <param name="context">The facts.</param>
    /// <param name="rule">The rule that looks.</param>
    /// <param name="callout">The code of the library that waits; null where the thread is in none.</param>
    public static Observation? Find(RuleContext context, RuleInfo rule, Func<ThreadFacts, FrameFacts?> callout)
        => context.Threads is [{ State: ThreadActivity.WaitsForObject } last]
            && last.Thread.Stack.Frames.Any(frame => NativeCalls.IsNtdll(frame) && frame.Method == LoaderCalls.ProcessExit)
            && callout(last.Thread) is { } frame
                ? Describe(context, rule, last, frame)
                : null;

    private static Observation Describe(RuleContext context, RuleInfo rule, ThreadAssessment last, FrameFacts callout)
    {
        ThreadId id = last.Thread.OsId;
        Claim label = Parties.Label(context, id);
        Claim waits = $"waits ({WaitPlace.Call(last.Thread) ?? "a wait"} in {Claim.Of(callout)}) while it ends the process";
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.ExitWait,
            Title = $"{label} {waits}, and every other thread has ended already",
            Culprit = Parties.OfThread(context, id) with { Role = waits },
            Evidence =
            [
                new Evidence($"{label} {waits}", "stack", last.Trust)
                {
                    Thread = id,
                    Frame = last.Frame is null ? null : Claim.Of(last.Frame),
                },
                new Evidence($"{label} is the only thread: the end of a process begins with that of all others", "thread list", Trust.Read),
            ],
            Advice =
            [
                "Do not wait in DllMain when the process ends (its third argument is not null then): the threads of the library are gone.",
                "Stop the library's threads in a function of its own that the program calls before it ends.",
            ],
            Signature = Signature.Of(rule, last.Thread.Stack.Frames),
        };
    }
}
