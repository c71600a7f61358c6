using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>
/// A process that does not end: its last thread ends it, and a library's code waits meanwhile. The end of a process begins with
/// that of all its other threads, so nobody in it is left to give what is waited for.
/// </summary>
internal static class ExitWait
{
    /// <param name="context">The facts.</param>
    /// <param name="rule">The rule that looks.</param>
    /// <param name="callout">The code of the library that waits; null where the thread is in none.</param>
    public static Finding? Find(RuleContext context, RuleInfo rule, Func<ThreadFacts, FrameFacts?> callout)
        => context.Threads is [{ State: ThreadActivity.WaitsForObject } last]
            && last.Thread.Stack.Frames.Any(frame => NativeCalls.IsNtdll(frame) && frame.Method == "LdrShutdownProcess")
            && callout(last.Thread) is { } frame
                ? Describe(context, rule, last, frame)
                : null;

    private static Finding Describe(RuleContext context, RuleInfo rule, ThreadAssessment last, FrameFacts callout)
    {
        ThreadId id = last.Thread.OsId;
        string label = Parties.Label(context, id);
        string waits = $"waits ({WaitText.Call(last.Thread) ?? "a wait"} in {FrameText.Of(callout)}) while it ends the process";
        return new Finding
        {
            Rule = rule,
            Severity = Severity.Hang,
            Kind = VerdictKind.NeverCompleted,
            Confidence = Confidence.Likely,
            ConfidenceReason = "nobody in the process is left to end the wait; whether another process can, or a time-out, is not in a capture",
            Title = $"{label} {waits}, and every other thread has ended already",
            Culprit = Parties.OfThread(context, id) with { Role = waits },
            Evidence =
            [
                new Evidence($"{label} {waits}", "stack", last.Trust)
                {
                    Thread = id,
                    Frame = last.Frame is null ? null : FrameText.Of(last.Frame),
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
