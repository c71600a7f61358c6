using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Spinning;

/// <summary>All who go round the same loop for the same field.</summary>
internal sealed class EndlessPoll
{
    private readonly RuleContext _context;
    private readonly PollFacts _first;
    private readonly FlowGroup[] _flows;

    public EndlessPoll(RuleContext context, IReadOnlyList<PollFacts> polls)
    {
        _context = context;
        Threads =
        [
            .. polls.Select(poll => poll.Thread).OfType<ThreadId>()
                .OrderByDescending(thread => HolderIn(polls, thread) is not null).ThenByDescending(IsImportant).ThenByDescending(thread => context.Graph.ThreadsBehind(WaitNode.Of(thread)).Count),
        ];
        _flows = [.. context.Flows.Groups.Where(group => polls.Any(poll => poll.Flow == group.Sample))];
        _first = polls.FirstOrDefault(poll => Threads.Count > 0 && poll.Thread == Threads[0]) ?? polls[0];
        Victims =
        [
            .. Threads.Select(WaitNode.Of).Concat(_flows.Select(flow => WaitNode.OfTask(flow.Sample)))
                .SelectMany(context.Graph.ThreadsBehind).Distinct().Where(node => !Threads.Contains(node.Thread!.Value)),
        ];
    }

    public IReadOnlyList<ThreadId> Threads { get; }

    /// <summary>Who waits for these threads.</summary>
    public IReadOnlyList<WaitNode> Victims { get; }

    /// <summary>The first of the threads has taken it itself: the method that is to give it back; null where that is not seen.</summary>
    public string? TakenIn => Threads is [var first, ..] ? HolderIn([_first], first)?.Method : null;

    public int Count => Threads.Count + _flows.Sum(flow => flow.Count);

    public bool IsLock => (_first.Traits & PollTraits.TakesLock) != 0;

    public string Method => _first.Method;

    public string Field => string.Join(" or ", _first.Fields.Select(PollText.Field));

    /// <summary>Why it is not known who could change the field; null where it is.</summary>
    public Gap? Unsearched => _first.Bringers?.Gap;

    public IReadOnlyList<string> Writers => [.. _first.Bringers!.Value.Writers.Select(MethodText.Short)];

    /// <summary>A loop for a lock is never how a thread idles; any other matters where somebody depends on it.</summary>
    public bool Matters
        => Count > 0 && (IsLock || (Threads.Count > 0 && Victims.Count > 0) || Threads.Any(IsImportant)
            || _flows.Any(_context.Flows.IsForMain));

    public Party Party => Threads.Count > 0 ? Parties.OfThread(_context, Threads[0]) : Parties.OfFlow(_flows[0]);

    public Claim Leading => Threads.Count > 0 ? Parties.Label(_context, Threads[0]) : (Claim)$"async method {MethodText.Short(_first.Method)}";

    /// <summary>As "SpinGate.Enter (Shop/SpinGate.cs:31)".</summary>
    public string Place
        => MethodText.Short(_first.Method) + ((Threads.Count > 0
            ? _context.Find(Threads[0])?.Thread.Stack.Frames.FirstOrDefault(frame => frame.Method == _first.Method)?.Source
            : _flows[0].Source) is { } line ? $" ({line})" : string.Empty);

    private static PollHolder? HolderIn(IEnumerable<PollFacts> polls, ThreadId thread)
        => polls.Select(poll => poll.Bringers is { } known && known.TryGet(out PollBringers? bringers)
                ? bringers.Holders?.FirstOrDefault(holder => holder.Thread == thread) : null)
            .FirstOrDefault(holder => holder is not null);

    private bool IsImportant(ThreadId thread) => ImportantThreads.Contain(_context, thread);
}
