using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>One cycle of the wait graph, gone round once, and those who wait behind it; in the words of a finding.</summary>
internal sealed class Circle
{
    private readonly RuleContext _context;
    private readonly HashSet<WaitNode> _members;

    /// <param name="context">The facts.</param>
    /// <param name="nodes">A strongly connected component of the wait graph.</param>
    public Circle(RuleContext context, IReadOnlyList<WaitNode> nodes)
    {
        _context = context;
        _members = [.. nodes];
        Round = GoRound();
        Threads = [.. Round.Select(edge => edge.From.Thread).OfType<ThreadId>()];
        Victims =
        [
            .. context.Graph.UpstreamOf(nodes)
                .Where(node => node.Thread is not null)
                .Select(node => Parties.Of(context, node) with { Role = RoleOf(node) }),
        ];
    }

    /// <summary>Once around, from the thread that comes first in the process's list, or from a task where there is none.</summary>
    public IReadOnlyList<WaitEdge> Round { get; }

    public IReadOnlyList<ThreadId> Threads { get; }

    public IReadOnlyList<Party> Victims { get; }

    /// <summary>A wait has a time-out, or is for any of several things of which not all lead back into the circle.</summary>
    public bool HasWayOut => Round.Any(edge => edge.EndsByItself || Inside(edge.From) < edge.Alternatives);

    private IReadOnlyList<ChainLink> Chain => [.. Round.Select(edge => Parties.Link(_context, edge))];

    private IReadOnlyList<Evidence> Evidence => [.. Round.Select(EvidenceFor)];

    private string Members => Threads.Count > 0 ? "threads" : "tasks";

    private Party Culprit => Parties.Of(_context, Round[0].From) with { Role = $"the first in the circle; all of its {Members} are equally to blame" };

    private string Title
    {
        get
        {
            int count = Threads.Count > 0 ? Threads.Count : Round.Count;
            string circle = count == 1
                ? $"{Parties.Of(_context, Round[0].From).Label} waits for itself"
                : string.Create(CultureInfo.InvariantCulture, $"{count} {Members} wait for each other in a circle");
            string until = HasWayOut ? " that a time-out or another signal can end" : string.Empty;
            return Victims.Count == 0
                ? circle + until
                : string.Create(CultureInfo.InvariantCulture, $"{circle}{until}, and {Victims.Count} more {(Victims.Count == 1 ? "waits" : "wait")} behind them");
        }
    }

    /// <summary>The circle as a rule's finding: a deadlock, or a warning where it has a way out.</summary>
    public Finding Describe(RuleInfo rule, Confidence confidence, string reason, IReadOnlyList<string> advice) => new()
    {
        Rule = rule,
        Severity = HasWayOut ? Severity.Warning : Severity.Hang,
        Kind = HasWayOut ? VerdictKind.NotHung : VerdictKind.Deadlock,
        Confidence = confidence,
        ConfidenceReason = reason,
        Title = Title,
        Culprit = Culprit,
        Chain = Chain,
        Victims = Victims,
        Evidence = Evidence,
        Advice = advice,
        Signature = Sign(rule),
    };

    private string Sign(RuleInfo rule) => Signature.Of(rule, Threads.Select(thread => _context.Find(thread)?.Thread.Stack.Frames ?? []));

    private int Inside(WaitNode node) => _context.Graph.From(node).Count(edge => _members.Contains(edge.To));

    private List<WaitEdge> GoRound()
    {
        WaitNode? thread = _members
            .Where(node => node.Thread is not null)
            .MinBy(node => (_context.Find(node.Thread!.Value)?.Thread.Index ?? int.MaxValue, node.Thread.Value));
        List<WaitEdge> round = [];
        HashSet<WaitNode> passed = [];
        for (WaitNode node = thread ?? _members.First(); passed.Add(node);)
        {
            WaitEdge edge = _context.Graph.From(node).First(edge => _members.Contains(edge.To));
            round.Add(edge);
            node = edge.To;
        }

        return round;
    }

    private string? RoleOf(WaitNode victim)
        => _context.Graph.ChainFrom(victim) switch
        {
            [{ To.Lock: { } @lock }, { To: { Thread: { } owner } next }, ..] =>
                $"waits for {Parties.Label(_context, @lock)}, held by {Parties.Label(_context, owner)}, {Place(next)}",
            [{ To: { Task: { } task } next }, ..] => $"waits for {Parties.Label(_context, task)}, {Place(next)}",
            [{ To: { Thread: { } thread } next }, ..] => $"waits for the end of {Parties.Label(_context, thread)}, {Place(next)}",
            _ => null,
        };

    private string Place(WaitNode node) => _members.Contains(node) ? "which is in the circle" : "which waits behind the circle itself";

    private Evidence EvidenceFor(WaitEdge edge)
    {
        string claim = $"{Parties.Of(_context, edge.From).Label} {edge.Label} {Parties.Of(_context, edge.To).Label}";
        ThreadId? waiter = edge.From.Thread;
        FrameFacts? frame = waiter is { } id ? _context.Find(id)?.Thread.Stack.Frames.FirstOrDefault(IsUserCode) : null;
        return new Evidence(claim, edge.Source, edge.Trust)
        {
            Thread = waiter ?? edge.To.Thread,
            Frame = frame is null ? null : FrameText.Of(frame),
            Address = (edge.From.Lock ?? edge.To.Lock)?.Address ?? edge.From.Task ?? edge.To.Task,
        };
    }

    private static bool IsUserCode(FrameFacts frame)
        => frame.Kind == FrameKind.Managed
            ? frame.Method?.StartsWith("System.", StringComparison.Ordinal) == false
            : frame.Kind == FrameKind.Native && !SystemLayers.Contain(frame);
}
