using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Work;

/// <summary>
/// A thread that holds a lock which others wait for, and goes round a loop that asks, naps and asks again, in every sample with the same
/// values.
/// </summary>
/// <param name="Thread">The thread.</param>
/// <param name="Held">The lock, by its owner.</param>
/// <param name="History">What the samples show of it.</param>
internal sealed record Napper(ThreadFacts Thread, WaitEdge Held, WorkHistory History)
{
    private const PollTraits Ends = PollTraits.HasExit | PollTraits.HasLimit | PollTraits.HasToken | PollTraits.GivesBack;

    public required IReadOnlyList<WaitNode> Waiters { get; init; }

    public ThreadId Id => Thread.OsId;

    /// <summary>As "RowLock.Take (Shop/RowLock.cs:31)".</summary>
    public string Place => WaitPlace.InProgram(Thread) ?? MethodText.Short(History.Place.Method);

    /// <summary>Null for a thread that is none, where there are not several samples, and where anything changed.</summary>
    public static Napper? Of(RuleContext context, ThreadAssessment thread)
        => HeldBy(context, thread) is { } edge
            && context.FindWork(thread.Thread.OsId) is { IsPausing: true } work
            && context.Timeline.OfWork(thread.Thread, work) is { Stay: WorkStay.SameCall, Samples: >= Thresholds.SamplesOfRound } history
                ? new Napper(thread.Thread, edge, history) { Waiters = context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)) }
                : null;

    /// <summary>What would have to be known of it to compare the samples; null where nothing is missing.</summary>
    public static Gap? Unseen(RuleContext context, ThreadAssessment thread)
        => context.Case.Samples.Count < Thresholds.SamplesOfRound || HeldBy(context, thread) is null ? null
            : context.Managed?.Work is { HasValue: false } work ? work.Gap
            : thread.Thread.Cpu.Gap;

    // The lock that others wait for while it naps and asks.
    private static WaitEdge? HeldBy(RuleContext context, ThreadAssessment thread)
    {
        ThreadId id = thread.Thread.OsId;
        return thread.State is ThreadActivity.Sleeping or ThreadActivity.Yielding
            && context.FindPoll(id) is { } poll && (poll.Traits & Ends) == PollTraits.HasExit && !poll.IsMeantToLast()
            && context.Polls.OutlookOf(poll) != PollOutlook.Nobody
                ? context.Graph.To(WaitNode.Of(id))
                    .FirstOrDefault(to => to.From.Lock is { } held && !held.Kind.IsOfRuntime() && context.Graph.To(to.From).Count > 0)
                : null;
    }
}
