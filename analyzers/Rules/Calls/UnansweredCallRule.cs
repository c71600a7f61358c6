using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Calls;

/// <summary>
/// A thread waits for the answer of a call through COM, RPC or a port, and others wait for the thread, or it is one that
/// serves windows.
/// </summary>
public sealed class UnansweredCallRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3008", "unanswered call", "A thread that others wait for has made a call through COM, RPC or a port and waits for the answer.")
    {
        Patterns = Pattern.UnansweredCall,
        Needs = Need.Windows | Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.Threads.Select(thread => Describe(context, thread)).OfType<Observation>()]);
    }

    private Observation? Describe(RuleContext context, ThreadAssessment caller)
    {
        IReadOnlyList<FrameFacts> frames = caller.Thread.Stack.Frames;
        WaitNode node = WaitNode.Of(caller.Thread.OsId);
        IReadOnlyList<WaitNode> victims = context.Graph.ThreadsBehind(node);
        return caller.State is not (ThreadActivity.WaitsForReply or ThreadActivity.WaitsForObject)
            || context.Graph.From(node).Count > 0
            || (victims.Count == 0 && !WindowThreads.Dispatches(caller.Thread))
            || (RemoteCall.Of(frames) ?? (victims.Count > 0 ? RemoteCall.ThroughPort(frames) : null)) is not { } call
                ? null
                : Describe(context, caller, call, victims);
    }

    private Observation Describe(RuleContext context, ThreadAssessment caller, RemoteCall call, IReadOnlyList<WaitNode> victims)
    {
        WaitNode node = WaitNode.Of(caller.Thread.OsId);
        Claim label = Parties.Label(context, caller.Thread.OsId);
        Claim where = call.Caller is { } from ? $", called from {Claim.Of(from)}" : Claim.Empty;
        Claim waits = $"waits for the answer of {call.What} ({Claim.Of(call.Entry)}{where})";
        Claim holds = context.Graph.To(node) is [{ From.Lock: { } @lock }, ..] ? $" holds {Parties.Label(context, @lock)} and" : Claim.Empty;
        string behind = victims.Count == 0 ? "its windows wait" : $"{Count.Waiting(victims.Count)} for it";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.UnansweredCall,
            Watched = [caller.Thread.OsId],
            Title = $"{label}{holds} waits{(call.Caller is { } place ? (Claim)$" in {Claim.Of(place)}" : Claim.Empty)} for the answer of {call.What}; {behind}",
            Culprit = Parties.OfThread(context, caller.Thread.OsId) with { Role = waits },
            Chain = victims.Count == 0
                ? []
                : [.. context.Graph.ChainFrom(victims[0]).TakeWhile(edge => edge.From != node).Select(edge => Parties.Link(context, edge))],
            Victims = Waiters.PartiesOf(context, victims),
            Evidence = [.. EvidenceFor(context, caller, call, where)],
            Gaps = [new Gap("who has to answer", "a dump does not say which process or thread serves the call")],
            Advice =
            [
                "Find the server of the call (a debugger's !alpc, or the wait chain of the live process) and look at what it does.",
                "Hold no lock during a call to another process, and make no such call on a thread that serves windows.",
            ],
            Signature = Signature.Of(Info, caller.Thread.Stack.Frames),
        };
    }

    private static IEnumerable<Evidence> EvidenceFor(RuleContext context, ThreadAssessment caller, RemoteCall call, Claim where)
    {
        Claim label = Parties.Label(context, caller.Thread.OsId);
        yield return new Evidence($"{label} is in {Claim.Of(caller.Thread.Stack.Frames[0])} below {Claim.Of(call.Entry)}{where}", "stack", call.Entry.Trust)
        {
            Thread = caller.Thread.OsId,
            Frame = Claim.Of(call.Entry),
        };
        if (WindowThreads.Dispatches(caller.Thread))
        {
            yield return new Evidence($"{label} serves windows: it is handling a message", "stack", Trust.Derived);
        }

        foreach (WaitEdge held in context.Graph.To(WaitNode.Of(caller.Thread.OsId)))
        {
            yield return new Evidence(Parties.Sentence(context, held), held.Source, held.Trust);
        }

        if (context.Timeline.Of(caller.Thread) is { HasMovedOn: false } history)
        {
            yield return new Evidence($"{label} was in the same call {EarlierText.At(history)}", "earlier capture", Trust.Derived);
        }

        if (Through(context, caller.Thread.OsId) is { } handle && handle.Name.TryGet(out string? name) && name.Length > 0)
        {
            yield return new Evidence($"it waits through handle {handle.Value} of type {(handle.Type.TryGet(out string? type) ? type : "?")}, named {name}", "handles", Trust.Scanned);
        }
    }

    private static HandleFacts? Through(RuleContext context, ThreadId thread)
        => context.Snapshot.Windows is { } windows
            && windows.Handles.TryGet(out IReadOnlyList<HandleFacts>? handles)
            && context.WaitsOf(thread).FirstOrDefault(wait => wait.Kind == WaitKind.Reply) is { } wait
                ? handles.FirstOrDefault(handle => handle.Value == wait.Lock.Address)
                : null;
}
