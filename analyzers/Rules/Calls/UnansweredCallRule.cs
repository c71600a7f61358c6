using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Calls;

/// <summary>
/// A thread waits for the answer of a call through COM, RPC or a port, and others wait for the thread, or it is one that
/// serves windows.
/// </summary>
public sealed class UnansweredCallRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3008", "unanswered call", "A thread that others wait for has made a call through COM, RPC or a port and waits for the answer.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is null)
        {
            return RuleOutcome.NotApplicable("only Windows processes make such calls");
        }

        Finding[] findings = [.. context.Threads.Select(thread => Describe(context, thread)).OfType<Finding>()];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding? Describe(RuleContext context, ThreadAssessment caller)
    {
        IReadOnlyList<FrameFacts> frames = caller.Thread.Stack.Frames;
        WaitNode node = WaitNode.Of(caller.Thread.OsId);
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(node);
        bool servesWindows = WindowThreads.Dispatches(caller.Thread);
        if (caller.State is not (ThreadActivity.WaitsForReply or ThreadActivity.WaitsForObject)
            || context.Graph.From(node).Count > 0
            || (victims.Count == 0 && !servesWindows)
            || (RemoteCall.Of(frames) ?? (victims.Count > 0 ? RemoteCall.ThroughPort(frames) : null)) is not { } call)
        {
            return null;
        }

        string label = Parties.Label(context, caller.Thread.OsId);
        string where = call.Caller is { } from ? $", called from {FrameText.Of(from)}" : string.Empty;
        WaitEdge[] held = [.. context.Graph.To(node)];
        string holds = held is [{ From.Lock: { } @lock }, ..] ? $" holds {Parties.Label(context, @lock)} and" : string.Empty;
        string behind = victims.Count == 0 ? "; its windows wait"
            : string.Create(CultureInfo.InvariantCulture, $"; {victims.Count} thread{(victims.Count == 1 ? " waits" : "s wait")} for it");
        ThreadProgress? progress = ThreadProgress.Of(caller.Thread, context.Earlier);
        bool lasts = progress is { HasMovedOn: false };
        HandleFacts? through = Through(context, caller.Thread.OsId);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.BlockedOnExternal,
            Confidence = lasts ? Confidence.Likely : Confidence.Possible,
            ConfidenceReason = lasts
                ? $"it was in the same call {SpinText.Duration(progress!.Between)} earlier"
                : "a call is under way for a moment in any process, and one capture cannot show for how long this one has been",
            Title = $"{label}{holds} waits for the answer of {call.What} ({FrameText.Of(call.Entry)}{where}){behind}",
            Culprit = Parties.OfThread(context, caller.Thread.OsId) with { Role = $"waits for the answer of {call.What}: {FrameText.Of(call.Entry)}{where}" },
            Chain = victims.Count == 0
                ? []
                : [.. context.Graph.ChainFrom(victims[0]).TakeWhile(edge => edge.From != node).Select(edge => Parties.Link(context, edge))],
            Victims = [.. victims.Select(victim => Parties.Of(context, victim))],
            Evidence =
            [
                new Evidence($"{label} is in {FrameText.Of(frames[0])} below {FrameText.Of(call.Entry)}{where}", "stack", call.Entry.Trust)
                {
                    Thread = caller.Thread.OsId,
                    Frame = FrameText.Of(call.Entry),
                },
                .. servesWindows ? [new Evidence($"{label} serves windows: it is handling a message", "stack", Trust.Derived)] : Array.Empty<Evidence>(),
                .. held.Select(edge => new Evidence($"{Parties.Of(context, edge.From).Label} {edge.Label} {label}", edge.Source, edge.Trust)),
                .. lasts ? [new Evidence($"{label} was in the same call {SpinText.Duration(progress!.Between)} earlier", "earlier capture", Trust.Derived)] : Array.Empty<Evidence>(),
                .. through is { } handle && handle.Name.TryGet(out string? name) && name.Length > 0
                    ? [new Evidence($"it waits through handle {handle.Value} of type {handle.Type.Value}, named {name}", "handles", Trust.Scanned)]
                    : Array.Empty<Evidence>(),
            ],
            Gaps = [new Gap("who has to answer", "a dump does not say which process or thread serves the call")],
            Advice =
            [
                "Find the server of the call (a debugger's !alpc, or the wait chain of the live process) and look at what it does.",
                "Hold no lock during a call to another process, and make no such call on a thread that serves windows.",
            ],
            Signature = Signature.Of(Info, frames),
        };
    }

    private static HandleFacts? Through(RuleContext context, ThreadId thread)
        => context.Snapshot.Windows is { } windows
            && windows.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits)
            && windows.Handles.TryGet(out IReadOnlyList<HandleFacts>? handles)
            && waits.FirstOrDefault(wait => wait.Thread == thread && wait.Kind == WaitKind.Reply) is { } wait
                ? handles.FirstOrDefault(handle => handle.Value == wait.Lock.Address)
                : null;
}
