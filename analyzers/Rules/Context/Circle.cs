using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Context;

/// <summary>One cycle of the wait graph, gone round once, and those who wait behind it; in the words of an observation.</summary>
internal sealed class Circle
{
    private const int MostNamed = 2;

    private readonly RuleContext _context;
    private readonly HashSet<WaitNode> _members;

    /// <param name="context">The facts.</param>
    /// <param name="nodes">A strongly connected component of the wait graph.</param>
    public Circle(RuleContext context, IReadOnlyList<WaitNode> nodes)
    {
        _context = context;
        _members = [.. nodes];
        Nodes = nodes;
        Round = GoRound();
        Threads = [.. Round.Select(edge => edge.From.Thread).OfType<ThreadId>()];
        Victims =
        [
            .. context.Graph.UpstreamOf(nodes)
                .Where(node => node.Thread is not null)
                .Select(node => Parties.Of(context, node) with { Role = RoleOf(node) }),
        ];
    }

    public IReadOnlyList<WaitNode> Nodes { get; }

    /// <summary>Once around, from the thread that comes first in the process's list, or from a task where there is none.</summary>
    public IReadOnlyList<WaitEdge> Round { get; }

    public IReadOnlyList<ThreadId> Threads { get; }

    public IReadOnlyList<Party> Victims { get; }

    /// <summary>A wait has a timeout, or is for any of several things of which not all lead back into the circle.</summary>
    public bool HasWayOut => Round.Any(edge => edge.EndsByItself || Inside(edge.From) < edge.Alternatives);

    public bool HasLock => Round.Any(edge => edge.To.Lock is not null);

    /// <summary>No thread of it waits for the end of another one, or for what another one does.</summary>
    public bool IsOfLocksAlone => Round.Where(edge => edge.From.Thread is not null).All(edge => edge.To.Lock is not null);

    /// <summary>What helps where threads wait for each other's end.</summary>
    public Claim JoinAdvice => HasLock
        ? "Hold no lock while waiting for the end or the work of another thread that takes it."
        : "Let no thread wait for the end or the work of one that waits for its own.";

    private TimeLimit Limit => HasWayOut ? TimeLimit.Some : Round.Any(edge => !edge.Timeout.HasValue) ? TimeLimit.Unknown
        : Round.Any(HasLongLimit) ? TimeLimit.TooLate : TimeLimit.None;

    private bool AllTryAgain => HasWayOut && Threads.Count > 0 && Threads.All(_context.Polls.TriesAgain);

    private string Members => Threads.Count > 0 ? "threads" : "tasks";

    private Party Culprit => Parties.Of(_context, Round[0].From) with { Role = $"the first in the circle; all {Members} of it are equally to blame" };

    private Claim Title
    {
        get
        {
            int count = Threads.Count > 0 ? Threads.Count : Round.Count;
            Claim circle = count == 1
                ? SelfCircleText.Of(_context, Round)
                : CircleText.Of(_context, Round) ?? $"{count} {Members} wait for each other in a circle{Among()}";
            string until = AllTryAgain ? " and try again and again" : HasWayOut ? " that a timeout or another signal can end" : string.Empty;
            return Victims.Count == 0
                ? (Claim)$"{circle}{until}"
                : $"{circle}{until}; {Victims.Count} more {(Victims.Count == 1 ? "waits" : "wait")} behind them";
        }
    }

    // Of many tasks those of the program's own are what one looks for.
    private string Among()
        => Threads.Count > 0 ? string.Empty
            : OwnMethods.GroupBy(CallNames.Root).FirstOrDefault()?.Take(MostNamed).Select(MethodText.Short).ToArray() switch
            {
                null => string.Empty,
                var own => $", {string.Join(" and ", own)} among them",
            };

    private IEnumerable<string> OwnMethods => Round.Select(edge => MethodOf(edge.From)).OfType<string>().Distinct();

    // The method of a task, where it is the program's own.
    private string? MethodOf(WaitNode node)
        => node.Task is { } task && _context.FindTask(task)?.Method is { } method
            && !Frameworks.IsOwn(method) && !_context.Flows.IsOfLibrary(method)
            ? method
            : null;

    /// <summary>The circle as what a rule saw.</summary>
    public Observation Describe(RuleInfo rule, Pattern pattern, LinkTrust links, params IReadOnlyList<Claim> advice) => new()
    {
        Rule = rule,
        Pattern = pattern,
        Links = links,
        Limit = Limit,
        Signs = AllTryAgain ? Sign.TriesAgain : Sign.None,
        Title = Title,
        Culprit = Culprit,
        Chain = [.. Round.Select(edge => Parties.Link(_context, edge))],
        Victims = Victims,
        Evidence = [.. Round.Select(EvidenceFor)],
        Advice = advice,
        Signature = Threads.Count > 0 ? Signature.Of(rule, Threads.Select(thread => _context.Find(thread)?.Thread.Stack.Frames ?? []))
            : Signature.OfMethods(rule, [.. OwnMethods.Order(StringComparer.Ordinal)]),
    };

    private static bool HasLongLimit(WaitEdge edge)
        => edge.Timeout.TryGet(out TimeSpan limit) && limit != Timeout.InfiniteTimeSpan && !WaitLimit.EndsBeforeOwner(limit);

    private int Inside(WaitNode node) => _context.Graph.From(node).Count(edge => _members.Contains(edge.To));

    private List<WaitEdge> GoRound()
    {
        WaitNode? thread = _members
            .Where(node => node.Thread is not null)
            .MinBy(node => (_context.Find(node.Thread!.Value)?.Thread.Index ?? int.MaxValue, node.Thread.Value));
        List<WaitEdge> round = [];
        HashSet<WaitNode> passed = [];
        WaitNode first = thread ?? _members.FirstOrDefault(member => MethodOf(member) is not null) ?? _members.First();
        for (WaitNode node = first; passed.Add(node);)
        {
            WaitEdge edge = _context.Graph.From(node).First(edge => _members.Contains(edge.To));
            round.Add(edge);
            node = edge.To;
        }

        return round;
    }

    private Claim? RoleOf(WaitNode victim)
        => _context.Graph.ChainFrom(victim) switch
        {
            [{ To.Lock: { } @lock }, { To: { Thread: { } owner } next }, ..] =>
                (Claim)$"waits for {Parties.Label(_context, @lock)}, held by {Parties.Label(_context, owner)}, {Place(next)}",
            [{ To: { Task: { } task } next }, ..] => (Claim)$"waits for {Parties.Label(_context, task)}, {Place(next)}",
            [{ To: { Thread: { } thread } next }, ..] => (Claim)$"waits for the end of {Parties.Label(_context, thread)}, {Place(next)}",
            _ => null,
        };

    private string Place(WaitNode node) => _members.Contains(node) ? "which is in the circle" : "which waits behind the circle itself";

    private Evidence EvidenceFor(WaitEdge edge)
    {
        ThreadId? waiter = edge.From.Thread;
        FrameFacts? frame = waiter is { } id ? UserCode.In(_context.Find(id)?.Thread) : null;
        Claim limit = HasLongLimit(edge) ? (Claim)$", with a timeout of {Durations.Of(edge.Timeout.Value)}" : Claim.Empty;
        return new Evidence($"{Parties.Sentence(_context, edge)}{limit}", edge.Source, edge.Trust)
        {
            Thread = waiter ?? edge.To.Thread,
            Frame = frame is null ? null : Claim.Of(frame),
            Address = (edge.From.Lock ?? edge.To.Lock)?.Address ?? edge.From.Task ?? edge.To.Task,
        };
    }
}
