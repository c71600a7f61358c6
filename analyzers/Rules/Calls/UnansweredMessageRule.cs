using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Calls;

/// <summary>A thread has sent a message to another thread's window and waits for the answer.</summary>
public sealed class UnansweredMessageRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3007", "unanswered window message", "A thread has sent a message to another thread's window and waits for the answer.")
    {
        Patterns = Pattern.UnansweredMessage | Pattern.MessageCycle,
        Needs = Need.Windows | Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        ThreadAssessment[] senders = [.. context.Threads.Where(thread => thread.State == ThreadActivity.WaitsForAnswer)];
        return RuleOutcome.Of(senders.Length == 0 ? [] : [Describe(context, senders)]);
    }

    private Observation Describe(RuleContext context, ThreadAssessment[] senders)
    {
        ThreadAssessment? receiver = Receiver(context, senders);
        ThreadAssessment? partner = receiver is null ? null : senders.FirstOrDefault(sender => IsBehind(context, receiver, sender));
        Claim others = senders.Length == 1 ? " waits" : $" and {senders.Length - 1} more wait";
        Claim to = receiver is null ? "a window's thread" : Parties.Label(context, receiver.Thread.OsId);
        return new Observation
        {
            Rule = Info,
            Pattern = partner is null ? Pattern.UnansweredMessage : Pattern.MessageCycle,
            Title = $"{Parties.Label(context, senders[0].Thread.OsId)}{others} for {to} to answer a message",
            Culprit = receiver is null ? null : Parties.OfThread(context, receiver.Thread.OsId) with { Role = $"apparently owns the window, and is in {Place(receiver)}" },
            Chain = receiver is null ? [] : [.. ChainOf(context, partner ?? senders[0], receiver, partner is not null)],
            Victims = [.. senders.Select(sender => Parties.OfThread(context, sender.Thread.OsId) with { Role = $"is in {Claim.Of(Caller(sender))}" })],
            Evidence = [.. senders.Select(sender => EvidenceFor(context, sender)), new Evidence(WhoCouldAnswer(context, receiver, to), "stacks", Trust.Derived)],
            Gaps = partner is not null ? [] : [new Gap("whose window the message went to", "the receiver of a message is not in a dump")],
            Advice =
            [
                "Look at the threads of this process that own windows, and at the process of the window that the message went to: they must return to their message loops.",
                "Send with SendMessageTimeout, or post the message, where the answer is not needed at once.",
            ],
            Signature = Signature.Of(Info, senders[0].Thread.Stack.Frames),
        };
    }

    private static Evidence EvidenceFor(RuleContext context, ThreadAssessment sender)
        => new($"{Parties.Label(context, sender.Thread.OsId)} is in {Claim.Of(Caller(sender))} and waits for the answer", "stack", sender.Trust)
        {
            Thread = sender.Thread.OsId,
            Frame = sender.Frame is null ? null : Claim.Of(sender.Frame),
        };

    private static Claim WhoCouldAnswer(RuleContext context, ThreadAssessment? receiver, Claim to)
        => context.Threads.Any(thread => thread.State == ThreadActivity.WaitsForMessage)
                ? "a thread of this process waits for messages and could answer, so the window is likely another's"
            : receiver is not null
                ? (Claim)$"{to} is the only thread of this process that can own windows and sends no message itself; it is not in its message loop"
            : "no thread of this process waits for messages: if the window is one of its own, its thread does something else";

    /// <summary>
    /// The one thread of this process that can own the window and is kept from its message loop; null where there are none or several.
    /// </summary>
    private static ThreadAssessment? Receiver(RuleContext context, ThreadAssessment[] senders)
    {
        ThreadAssessment[] windows =
        [
            .. context.Threads.Where(thread => !senders.Contains(thread)
                && (thread.State == ThreadActivity.WaitsForMessage || WindowThreads.CanOwnWindows(thread.Thread))),
        ];
        return windows is [{ State: not ThreadActivity.WaitsForMessage } only] && !context.Threads.Except([.. senders, only]).Any(thread => WindowThreads.IsOpen(thread.Thread))
            ? only
            : null;
    }

    private static bool IsBehind(RuleContext context, ThreadAssessment receiver, ThreadAssessment sender)
        => context.Graph.ThreadsBehind(WaitNode.Of(sender.Thread.OsId)).Contains(WaitNode.Of(receiver.Thread.OsId));

    private static IEnumerable<ChainLink> ChainOf(RuleContext context, ThreadAssessment sender, ThreadAssessment receiver, bool isCircle)
    {
        Party from = Parties.OfThread(context, sender.Thread.OsId);
        yield return new ChainLink(from, "waits for an answer, apparently of", Parties.OfThread(context, receiver.Thread.OsId));
        if (isCircle)
        {
            foreach (WaitEdge edge in context.Graph.ChainFrom(WaitNode.Of(receiver.Thread.OsId)).TakeWhile(edge => edge.From.Thread != sender.Thread.OsId))
            {
                yield return Parties.Link(context, edge);
            }
        }
    }

    private static Claim Place(ThreadAssessment thread)
        => thread.Thread.Stack.Frames.FirstOrDefault(frame => frame.Kind != FrameKind.Runtime && !SystemLayers.Contain(frame)) is { } frame
            ? Claim.Of(frame)
            : "a wait";

    private static FrameFacts Caller(ThreadAssessment sender)
        => sender.Thread.Stack.Frames.FirstOrDefault(frame => frame.Method?.Contains(WindowsFunctions.SendMessage, StringComparison.Ordinal) == true)
            ?? sender.Thread.Stack.Frames[0];
}
