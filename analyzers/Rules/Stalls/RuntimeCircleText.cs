using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Stalls;

/// <summary>The title of a circle that leads through a wait of the runtime's own: both ends of that wait.</summary>
internal static class RuntimeCircleText
{
    public static Claim Title(RuleContext context, Circle circle, LockKind kind)
    {
        int at = IndexOf(circle.Round, kind);
        WaitEdge wait = circle.Round[at];
        WaitEdge run = circle.Round[(at + 1) % circle.Round.Count];
        WaitEdge next = circle.Round[(at + 2) % circle.Round.Count];
        WaitEdge last = circle.Round[(at + 3) % circle.Round.Count];
        Claim waiter = CircleText.Thread(context, wait.From.Thread!.Value);
        Claim what = LockText.Name(kind, context.Find(wait.To.Lock!));
        Claim behind = circle.Victims.Count > 0 ? $"; {Count.Waiting(circle.Victims.Count)} behind them" : Claim.Empty;
        Claim both = run.To == wait.From ? $"{waiter} runs {what} and waits for its end"
            : last.To == wait.From && last.Kind == EdgeKind.HeldBy && next.To.Lock is { } held && CircleText.Name(context, held) is var name
                ? (Claim)$"{waiter} holds {name} and waits for {what}; {CircleText.Thread(context, run.To.Thread!.Value)} runs that and waits for {name}"
            : $"{waiter} waits for {what}; {CircleText.Thread(context, run.To.Thread!.Value)} runs that and {EdgeText.Of(next.Kind)} {Next(context, next.To)}";
        return $"{both}{behind}";
    }

    private static Claim Next(RuleContext context, WaitNode node)
        => node.Thread is { } thread ? CircleText.Thread(context, thread) : node.Lock is { } held ? (Claim)CircleText.Name(context, held) : Parties.Of(context, node).Label;

    private static int IndexOf(IReadOnlyList<WaitEdge> round, LockKind kind)
    {
        for (int index = 0; index < round.Count; index++)
        {
            if (round[index].To.Lock?.Kind == kind)
            {
                return index;
            }
        }

        return 0;
    }
}
