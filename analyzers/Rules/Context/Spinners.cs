using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Context;

/// <summary>Whom a thread that spins holds up. Each spinner is told of by one rule.</summary>
internal static class Spinners
{
    public static bool HoldsOthersUp(RuleContext context, SpinSignals thread)
        => context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count > 0;

    /// <summary>It holds what others of the loader wait for.</summary>
    public static bool KeepsTheLoader(RuleContext context, SpinSignals thread)
        => context.Graph.To(WaitNode.Of(thread.Thread.OsId))
            .Any(held => held.From.Lock is { } @lock && @lock.Kind.IsOfLoader() && context.Graph.To(held.From).Count > 0);
}
