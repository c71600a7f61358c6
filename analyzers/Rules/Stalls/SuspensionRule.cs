using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// The runtime wants to stop all threads, for a garbage collection as a rule, and one of them does not come to a safe point.
/// </summary>
public sealed class SuspensionRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6003", "collection that cannot begin", "The runtime wants to stop all threads for a garbage collection, and one of them does not come to a safe point.")
    {
        Patterns = Pattern.SuspensionHeldUp,
        Needs = Need.Threads | Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.Locks.Where(held => held.Id.Kind == LockKind.Suspension).Select(held => Describe(context, held)).OfType<Observation>()]);
    }

    // A thread that runs comes to a safe point in microseconds, as a rule: an earlier capture has to show the same stop held up by it
    // there. One that blocks does not.
    private static bool IsStuck(RuleContext context, ThreadAssessment thread, LockFacts held)
        => IsBlocked(thread)
            || (context.Timeline.Of(held) is { IsSameOwner: true } && context.Timeline.Of(thread.Thread) is { HasMovedOn: false });

    // The waits of .NET's own methods leave cooperative mode first: a thread that is in one and in that mode is on its way in or out.
    private static bool IsBlocked(ThreadAssessment thread)
        => thread.Frame is not { Kind: FrameKind.Managed }
            && thread.State is ThreadActivity.WaitsForIo or ThreadActivity.WaitsForObject or ThreadActivity.WaitsForLock or ThreadActivity.Sleeping
                or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply or ThreadActivity.Suspended;

    private Observation? Describe(RuleContext context, LockFacts held)
    {
        if (!held.Owner.TryGet(out ThreadId id) || context.Find(id) is not { } holdout || !IsStuck(context, holdout, held))
        {
            return null;
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(held.Id)).Where(edge => edge.From.Thread is not null)];
        if (waits.Length == 0)
        {
            return null;
        }

        Claim label = Parties.Label(context, id);
        Claim stopper = Parties.Label(context, waits[0].From.Thread!.Value);
        Claim does = DoingOf(holdout);
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.SuspensionHeldUp,
            Links = Links.Weakest(waits.Select(wait => wait.Trust)),
            Watched = [id],
            Title = $"{stopper} wants to stop all threads for a garbage collection, and {label} does not come to a safe point: it {does}",
            Culprit = Parties.OfThread(context, id) with { Role = $"{does} in cooperative mode" },
            Chain = [Parties.Link(context, waits[0]), Parties.Link(context, context.Graph.From(WaitNode.Of(held.Id))[0])],
            Victims = Waiters.PartiesOf(context, context.Graph.ThreadsBehind(WaitNode.Of(id))),
            Evidence =
            [
                new Evidence($"{label} {does} in cooperative mode: the runtime has to wait until it returns", "mode of the runtime's thread", held.Owner.Trust)
                {
                    Thread = id,
                    Frame = holdout.Frame is { } frame ? Claim.Of(frame) : null,
                },
                .. Waiters.Sentences(context, waits),
            ],
            Gaps = [new Gap("who waits for the end of the collection", "every thread that runs managed code, allocates, starts or returns from native code meanwhile; no dump records which")],
            Advice =
            [
                $"Look at the native code that {label} called: a function that can block or run for long must not be declared with SuppressGCTransition, nor be called by a runtime helper in that mode.",
            ],
            Signature = Signature.Of(Info, holdout.Thread.Stack.Frames),
        };
    }

    private static Claim DoingOf(ThreadAssessment thread)
    {
        Claim place = thread.Frame is { } frame ? $" in {Claim.Of(frame)}" : Claim.Empty;
        return thread.Thread.SystemCall is { } known && known.TryGet(out SystemCallFacts? call) && call.Name.TryGet(out string? name)
            ? (Claim)$"blocks in the system call {name}"
            : $"{(thread.State == ThreadActivity.Running ? "runs" : "is")} in native code{place}";
    }
}
