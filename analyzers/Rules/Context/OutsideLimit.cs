using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Context;

/// <summary>After which time a thread's call to the outside gives up by itself.</summary>
internal static class OutsideLimit
{
    private const int MostTasks = 256;

    /// <summary>What the client's command or the socket was given for such a call; null where that was not read.</summary>
    public static TimeSpan? Of(OutsideWaitFacts wait)
        => wait.Limit ?? OfSocket(OutsideCalls.Find(wait.Call), wait.FindSocket());

    /// <summary>The time that the socket was given: to send for calls that have something to send, else to receive.</summary>
    public static TimeSpan? OfSocket(KnownCall? call, SocketFacts? socket)
        => call?.Title is null ? socket?.ReceiveTimeout : socket?.SendTimeout;

    /// <summary>The thread blocks on a request to another process that its client gives up in time.</summary>
    public static bool EndsRequestOf(RuleContext context, ThreadId thread)
    {
        if (context.Case.IsSaidToHang || context.FindTaskWait(thread) is not { } wait)
        {
            return false;
        }

        TaskFacts[] tasks = [.. NeededTasks.Of(context, wait.Tasks).Take(MostTasks).Select(needed => needed.Facts).OfType<TaskFacts>()];
        return tasks.Any(task => task.RequestLimit is { } limit && WaitLimit.Ends(limit))
            && !tasks.Any(task => task.Needs.Any(need => context.Flows.Server.IsPeerOf(need.Socket)));
    }

    /// <summary>The thread is in a call that gives up in time.</summary>
    public static bool EndsCallOf(RuleContext context, ThreadId thread)
        => !context.Case.IsSaidToHang && context.FindOutside(thread) is { } wait && Of(wait) is { } limit && WaitLimit.Ends(limit);
}
