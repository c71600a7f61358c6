using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Context;

/// <summary>Says what a thread waits for, whether anybody owns it or not.</summary>
internal static class WaitText
{
    private const int MostNamed = 3;

    /// <summary>As "monitor of App.Account (0x…), held by thread 3 (0x12)" or "a pulse of monitor of App.Bell (0x…)"; null where it waits for nothing known.</summary>
    public static WaitTarget? Of(RuleContext context, ThreadId thread)
    {
        IReadOnlyList<WaitFacts> waits = context.WaitsOf(thread);
        return waits is [{ Mode: { } mode }, _, ..]
            ? new WaitTarget(WaitTargetKind.Several, OfSeveral(context, waits, mode))
            : OfEdges(context, context.Graph.ChainFrom(WaitNode.Of(thread)))
                ?? (waits is [var signal, ..] ? OfSignal(context, signal) : null);
    }

    /// <summary>The same with how long the wait has lasted, where that is known.</summary>
    public static WaitTarget? WithAge(RuleContext context, ThreadId thread)
        => Of(context, thread) is { } target ? target with { Since = WaitAges.Of(context, thread) } : null;

    private static WaitTarget? OfEdges(RuleContext context, IReadOnlyList<WaitEdge> chain) => chain switch
    {
        [{ From.Thread: { } waiter }, { To.Thread: { } hands, Kind: EdgeKind.CompletedBy }, ..]
            when context.WaitsOf(waiter) is [var signal, ..]
            => InHandsOf(OfSignal(context, signal), Parties.Label(context, hands)),
        [{ To.Lock: { } @lock } wait, { To.Thread: { } owner }, ..] => OfLock(
            context, @lock, $"{Parties.Label(context, @lock)}, held by {Parties.Label(context, owner)}", wait.Timeout) with { Owner = owner },
        [{ To.Lock: { } @lock } wait, ..] => OfLock(context, @lock, Parties.Label(context, @lock), wait.Timeout),
        [{ To.Task: { } task } wait, ..] => new WaitTarget(WaitTargetKind.Task, Parties.Label(context, task))
        {
            Name = Parties.Label(context, task),
            Address = task,
            Type = context.FindTask(task)?.Type is { } type && type.TryGet(out string? name) ? name : null,
            Timeout = LengthOf(wait.Timeout),
        },
        [{ To.Thread: { } target, Kind: EdgeKind.WaitsForEnd } wait, ..] => new WaitTarget(WaitTargetKind.Thread, $"the end of {Parties.Label(context, target)}")
        {
            Owner = target,
            Timeout = LengthOf(wait.Timeout),
        },
        [{ To.Thread: { } target } wait, ..] => new WaitTarget(WaitTargetKind.Thread, Parties.Label(context, target)) { Owner = target, Timeout = LengthOf(wait.Timeout) },
        _ => null,
    };

    private static WaitTarget InHandsOf(WaitTarget target, Claim hands)
        => target with { Label = $"{target.Label}, in the hands of {hands}" };

    private static WaitTarget OfLock(RuleContext context, LockId id, Claim label, Known<TimeSpan> timeout)
        => new(WaitTargetKind.Lock, label)
        {
            Name = Parties.Label(context, id),
            Lock = id.Kind,
            Address = id.Address,
            Type = context.Find(id) is { } facts && facts.Name.TryGet(out string? name) && name.Length > 0 ? name : null,
            Timeout = LengthOf(timeout),
        };

    private static TimeSpan? LengthOf(Known<TimeSpan> timeout) => timeout.TryGet(out TimeSpan length) ? length : null;

    private static Claim OfSeveral(RuleContext context, IReadOnlyList<WaitFacts> waits, WaitMode mode)
    {
        string which = mode switch { WaitMode.Any => "any of ", WaitMode.All => "all of ", _ => "all or any of " };
        Claim more = waits.Count > MostNamed ? $" and {waits.Count - MostNamed} more" : Claim.Empty;
        return $"{which}{Claim.Join(", ", waits.Take(MostNamed).Select(wait => OfSignal(context, wait).Label))}{more}";
    }

    private static WaitTarget OfSignal(RuleContext context, WaitFacts wait)
    {
        Claim label = Parties.Label(context, wait.Lock);
        Claim words = wait.Kind switch
        {
            WaitKind.Pulse => $"a pulse of {label}",
            WaitKind.Exit => $"the end of what {label} stands for",
            _ when context.Find(wait.Lock)?.Entries is { } known && known.TryGet(out SemaphoreEntries? entries) => WithEntries(label, entries),
            _ => label,
        };
        return OfLock(context, wait.Lock, words, wait.Timeout);
    }

    private static Claim WithEntries(Claim label, SemaphoreEntries entries)
        => entries.IsBounded() ? (Claim)$"{label}, which has {entries.Left} of {entries.Most} entries left" : $"{label}, which has {entries.Left} entries left";
}
