using HangTriage.Facts;

namespace HangTriage.Rules.Context;

/// <summary>What the code of the program does with a static field that holds what is waited for.</summary>
internal static class SignalUsers
{
    /// <summary>
    /// Code besides that of the waiters signals, completes or fills it, so that was to come. Who only keeps a process alive gives the event to nobody.
    /// </summary>
    public static bool Had(WaitReach? reach, IEnumerable<ThreadFacts> waiters)
        => reach?.Givers is { } givers
            && waiters.SelectMany(waiter => waiter.Stack.Frames).Select(frame => frame.Method).ToHashSet() is var own
            && givers.Any(giver => !own.Contains(giver));
}
