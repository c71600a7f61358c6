using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>
/// The threads that could bring what a loop looks for. Whoever waits for the end of a thread in such a loop brings nothing before it
/// has ended, though the code behind that wait could.
/// </summary>
internal sealed class PollBringerThreads
{
    private readonly ILookup<ThreadId, ThreadId> _joined;
    private readonly IReadOnlyList<PollFacts> _polls;

    public PollBringerThreads(ProcessSnapshot snapshot)
    {
        ManagedFacts? managed = snapshot.Managed is { } section && section.TryGet(out ManagedFacts? facts) ? facts : null;
        _polls = managed?.Polls is { } polls && polls.TryGet(out IReadOnlyList<PollFacts>? found) ? found : [];
        _joined = (managed is not null && managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : [])
            .Where(wait => wait is { Kind: WaitKind.Exit, TargetThread: not null } && wait.Timeout.Is(timeout => timeout == Timeout.InfiniteTimeSpan))
            .ToLookup(wait => wait.Thread, wait => wait.TargetThread!.Value);
    }

    /// <summary>Empty where none is left, and where that was not looked for.</summary>
    public IReadOnlyList<ThreadId> Of(PollFacts poll)
        => poll.Bringers is { } known && known.TryGet(out PollBringers? bringers)
            ? [.. bringers.Threads.Where(thread => !_joined[thread].Any(joined => LooksForTheSame(joined, poll)))]
            : [];

    private bool LooksForTheSame(ThreadId thread, PollFacts poll)
        => _polls.Any(other => other.Thread == thread && other.EndsByConditionAlone() && other.Fields.SequenceEqual(poll.Fields));
}
