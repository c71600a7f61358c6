using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The loops in which threads and async methods wait, and who could end them.</summary>
internal sealed class Polls(RuleContext context, IReadOnlyList<PollFacts> all)
{
    private readonly PollBringerThreads _threads = new(context.Snapshot);

    public IReadOnlyList<PollFacts> All => all;

    /// <summary>Null for an async method that waits in no loop.</summary>
    public PollFacts? OfFlow(FlowGroup group) => all.FirstOrDefault(poll => poll.Flow == group.Sample);

    /// <summary>The thread waits in a loop that nobody is known to end.</summary>
    public bool IsStuck(ThreadId thread) => context.FindPoll(thread) is { } poll && OutlookOf(poll) != PollOutlook.Open;

    public PollOutlook OutlookOf(PollFacts poll)
    {
        if (!poll.WaitsForOthers() || poll.Bringers is not { } known || !known.TryGet(out PollBringers? bringers))
        {
            return PollOutlook.Open;
        }

        IReadOnlyList<ThreadId> threads = _threads.Of(poll);
        return bringers is { IsByFlow: true } or { IsByCallback: true } || threads.Any(MakesProgress) ? PollOutlook.Open
            : bringers.IsByDelegate ? IsAskedToEnd() ? PollOutlook.Open : PollOutlook.Unknown
            : threads.Count > 0 ? PollOutlook.Unknown
            : PollOutlook.Nobody;
    }

    /// <summary>The thread tries for a lock, gives up after a time, and tries again.</summary>
    public bool TriesAgain(ThreadId thread)
        => context.FindPoll(thread) is { Traits: var traits }
            && (traits & (PollTraits.HasExit | PollTraits.TakesLock | PollTraits.HasLimit | PollTraits.HasToken)) == (PollTraits.HasExit | PollTraits.TakesLock);

    private bool IsAskedToEnd() => context.Managed?.HandlesSignals?.Is(handles => handles) == true;

    private bool MakesProgress(ThreadId thread)
        => context.Find(thread) is { } found
            && !(context.FindPoll(thread)?.EndsByConditionAlone() ?? false)
            && (found.State is ThreadActivity.Running or ThreadActivity.Yielding or ThreadActivity.WaitsForIo or ThreadActivity.WaitsForMessage or ThreadActivity.Unknown
                || Timeouts.Sleeps(found)
                || (context.Graph.From(WaitNode.Of(thread)) is { Count: > 0 } && context.Fates.Of(WaitNode.Of(thread)) == Fate.Progresses));
}
