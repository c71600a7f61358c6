using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>Says what a thread waits for, whether anybody owns it or not.</summary>
internal static class AwaitedText
{
    private const int MostNamed = 3;

    /// <summary>As "monitor of App.Account (0x…), held by thread 3 (0x12)" or "a pulse of monitor of App.Bell (0x…)"; null where it waits for nothing known.</summary>
    public static string? Of(RuleContext context, ThreadId thread)
    {
        IReadOnlyList<WaitFacts> waits = context.WaitsOf(thread);
        return waits is [{ Mode: { } mode }, _, ..]
            ? OfSeveral(context, waits, mode)
            : context.Graph.ChainFrom(WaitNode.Of(thread)) switch
            {
                [{ To.Lock: { } @lock }, { To.Thread: { } owner }, ..] => $"{Parties.Label(context, @lock)}, held by {Parties.Label(context, owner)}",
                [{ To.Lock: { } @lock }, ..] => Parties.Label(context, @lock),
                [{ To.Task: { } task }, ..] => Parties.Label(context, task),
                [{ To.Thread: { } target, Label: WaitGraphBuilder.WaitsForEnd }, ..] => $"the end of {Parties.Label(context, target)}",
                [{ To.Thread: { } target }, ..] => Parties.Label(context, target),
                _ => waits is [var signal, ..] ? OfSignal(context, signal) : null,
            };
    }

    private static string OfSeveral(RuleContext context, IReadOnlyList<WaitFacts> waits, WaitMode mode)
    {
        string which = mode switch { WaitMode.Any => "any of ", WaitMode.All => "all of ", _ => "all or any of " };
        string more = waits.Count > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {waits.Count - MostNamed} more") : string.Empty;
        return which + string.Join(", ", waits.Take(MostNamed).Select(wait => OfSignal(context, wait))) + more;
    }

    private static string OfSignal(RuleContext context, WaitFacts wait)
    {
        string label = Parties.Label(context, wait.Lock);
        return wait.Kind switch
        {
            WaitKind.Pulse => $"a pulse of {label}",
            WaitKind.Exit => $"the end of what {label} stands for",
            _ when context.Find(wait.Lock)?.Entries is { } known && known.TryGet(out SemaphoreEntries? entries) =>
                string.Create(CultureInfo.InvariantCulture, $"{label}, which has {entries.Left}{(entries.IsBounded() ? $" of {entries.Most}" : string.Empty)} entries left"),
            _ => label,
        };
    }
}
