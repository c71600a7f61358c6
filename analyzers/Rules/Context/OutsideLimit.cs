using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Context;

/// <summary>After which time a thread's call to the outside gives up by itself.</summary>
internal static class OutsideLimit
{
    /// <summary>What the client's command or the socket was given for such a call; null where that was not read.</summary>
    public static TimeSpan? Of(OutsideWaitFacts wait)
        => wait.Limit ?? OfSocket(OutsideCalls.Find(wait.Call), wait.FindSocket());

    /// <summary>The time that the socket was given: to send for calls that have something to send, else to receive.</summary>
    public static TimeSpan? OfSocket(KnownCall? call, SocketFacts? socket)
        => call?.Title is null ? socket?.ReceiveTimeout : socket?.SendTimeout;

    /// <summary>The thread is in a call that gives up in time.</summary>
    public static bool EndsCallOf(RuleContext context, ThreadId thread)
        => !context.Case.IsSaidToHang && context.FindOutside(thread) is { } wait && Of(wait) is { } limit && WaitLimit.Ends(limit);
}
