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
        Claim waiter = Parties.Label(context, wait.From.Thread!.Value);
        Claim what = Parties.Label(context, wait.To.Lock!);
        Claim behind = circle.Victims.Count > 0 ? $"; {Count.Waiting(circle.Victims.Count)} behind them" : Claim.Empty;
        return run.To == wait.From
            ? (Claim)$"{waiter} runs {what} and waits for its end{behind}"
            : $"{Parties.Label(context, run.To.Thread!.Value)} runs {what} and {EdgeText.Of(next.Kind)} {Parties.Of(context, next.To)}; {waiter} waits for {what}{behind}";
    }

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
