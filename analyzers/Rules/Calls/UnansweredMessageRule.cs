using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Calls;

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
        ThreadAssessment? receiver = Receiver(context, senders);
        ThreadAssessment? partner = receiver is null ? null : senders.FirstOrDefault(sender => IsBehind(context, receiver, sender));
        string to = receiver is null ? "a window's thread" : Parties.Label(context, receiver.Thread.OsId);
        bool anyPumps = context.Threads.Any(thread => thread.State == ThreadActivity.WaitsForMessage);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = partner is null ? VerdictKind.BlockedOnExternal : VerdictKind.Deadlock,
            Confidence = partner is null ? Confidence.Possible : Confidence.Likely,
            ConfidenceReason = partner is not null
                ? "the only thread that can own the window waits for what the sender has; that the window is its own is concluded"
                : "a message can be under way for a moment in any process, and a dump does not say whose window it went to",
            Title = $"{first}{others} for {to} to answer a message",
            Culprit = receiver is null ? null : Parties.OfThread(context, receiver.Thread.OsId) with { Role = $"by all appearances owns the window, and is in {Place(receiver)}" },
            Chain = receiver is null ? [] : [.. ChainOf(context, partner ?? senders[0], receiver, partner is not null)],
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
                        : receiver is not null ? $"{to} is the only thread of this process that can own windows and sends no message itself; it is not in its message loop"
                        : "no thread of this process waits for messages: if the window is one of its own, its thread does something else",
                    "stacks",
                    Trust.Derived),
            ],
            Gaps = partner is not null ? [] : [new Gap("whose window the message went to", "the receiver of a message is not in a dump")],
            Advice =
            [
                "Look at the threads of this process that own windows, and at the process of the window that the message went to: they must get back to their message loops.",
                "Send with SendMessageTimeout, or post the message, where the answer is not needed at once.",
            ],
            Signature = Signature.Of(Info, senders[0].Thread.Stack.Frames),
        };
    }

    /// <summary>The one thread of this process that can own the window and is kept from its message loop; null where there are none or several.</summary>
    private static ThreadAssessment? Receiver(RuleContext context, ThreadAssessment[] senders)
    {
        ThreadAssessment[] windows =
        [
            .. context.Threads.Where(thread => !senders.Contains(thread)
                && (thread.State == ThreadActivity.WaitsForMessage || WindowThreads.CanOwnWindows(thread.Thread))),
        ];
        return windows is [{ State: not ThreadActivity.WaitsForMessage } only] ? only : null;
    }

    private static bool IsBehind(RuleContext context, ThreadAssessment receiver, ThreadAssessment sender)
        => context.Graph.ThreadsBehind(WaitNode.Of(sender.Thread.OsId)).Contains(WaitNode.Of(receiver.Thread.OsId));

    private static IEnumerable<ChainLink> ChainOf(RuleContext context, ThreadAssessment sender, ThreadAssessment receiver, bool isCircle)
    {
        Party from = Parties.OfThread(context, sender.Thread.OsId);
        yield return new ChainLink(from, "waits for an answer, by all appearances of", Parties.OfThread(context, receiver.Thread.OsId));
        if (isCircle)
        {
            foreach (WaitEdge edge in context.Graph.ChainFrom(WaitNode.Of(receiver.Thread.OsId)).TakeWhile(edge => edge.From.Thread != sender.Thread.OsId))
            {
                yield return Parties.Link(context, edge);
            }
        }
    }

    private static string Place(ThreadAssessment thread)
        => thread.Thread.Stack.Frames.FirstOrDefault(frame => frame.Kind != FrameKind.Runtime && !SystemLayers.Contain(frame)) is { } frame
            ? FrameText.Of(frame)
            : "a wait";

    private static FrameFacts Caller(ThreadAssessment sender)
        => sender.Thread.Stack.Frames.FirstOrDefault(frame => frame.Method?.Contains("SendMessage", StringComparison.Ordinal) == true)
            ?? sender.Thread.Stack.Frames[0];
}
