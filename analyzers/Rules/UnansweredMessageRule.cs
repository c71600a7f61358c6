using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>A thread has sent a message to another thread's window and waits for the answer.</summary>
public sealed class UnansweredMessageRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3007", "unanswered window message", "A thread has sent a message to another thread's window and waits for the answer.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is null)
        {
            return RuleOutcome.NotApplicable("only Windows processes send window messages");
        }

        ThreadAssessment[] senders = [.. context.Threads.Where(thread => thread.State == ThreadActivity.WaitsForAnswer)];
        return senders.Length == 0 ? RuleOutcome.Clean() : RuleOutcome.Found([Describe(context, senders)]);
    }

    private Finding Describe(RuleContext context, ThreadAssessment[] senders)
    {
        string first = Parties.Label(context, senders[0].Thread.OsId);
        string others = senders.Length == 1 ? " waits" : $" and {senders.Length - 1} more wait";
        bool anyPumps = context.Threads.Any(thread => thread.State == ThreadActivity.WaitsForMessage);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.BlockedOnExternal,
            Confidence = Confidence.Possible,
            ConfidenceReason = "a message can be under way for a moment in any process, and a dump does not say whose window it went to",
            Title = $"{first}{others} for a window's thread to answer a message",
            Victims = [.. senders.Select(sender => Parties.OfThread(context, sender.Thread.OsId) with { Role = $"is in {FrameText.Of(Caller(sender))}" })],
            Evidence =
            [
                .. senders.Select(sender => new Evidence(
                    $"{Parties.Label(context, sender.Thread.OsId)} is in {FrameText.Of(Caller(sender))} and waits for the answer", "stack", sender.Trust)
                {
                    Thread = sender.Thread.OsId,
                    Frame = sender.Frame is null ? null : FrameText.Of(sender.Frame),
                }),
                new Evidence(
                    anyPumps
                        ? "a thread of this process waits for messages and could answer, so the window is likely another's"
                        : "no thread of this process waits for messages: if the window is one of its own, its thread does something else",
                    "stacks",
                    Trust.Derived),
            ],
            Gaps = [new Gap("whose window the message went to", "the receiver of a message is not in a dump")],
            Advice =
            [
                "Look at the threads of this process that own windows, and at the process of the window that the message went to: they must get back to their message loops.",
                "Send with SendMessageTimeout, or post the message, where the answer is not needed at once.",
            ],
            Signature = Signature.Of(Info, senders[0].Thread.Stack.Frames),
        };
    }

    private static FrameFacts Caller(ThreadAssessment sender)
        => sender.Thread.Stack.Frames.FirstOrDefault(frame => frame.Method?.Contains("SendMessage", StringComparison.Ordinal) == true)
            ?? sender.Thread.Stack.Frames[0];
}
