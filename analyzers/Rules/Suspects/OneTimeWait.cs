using HangTriage.Facts;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Suspects;

/// <summary>
/// A thread of its own that waits for a condition of others on its way to an end, as at a latch. Those that wait for work go round a loop, and
/// those that keep something alive look at an order to end: this one does neither, so it wants what it waits for.
/// </summary>
internal static class OneTimeWait
{
    public static bool Is(RuleContext context, ThreadId thread)
        => context.FindPoll(thread) is { } poll
            && (poll.Traits & PollTraits.IsOnWayToEnd) != 0
            && context.WaitsOf(thread) is [{ Kind: WaitKind.Pulse or WaitKind.Signal }, ..]
            && context.Polls.IsStuck(thread);
}
