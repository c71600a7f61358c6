using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Stalls;

/// <summary>The async methods that a host waits for, and whether what these wait for may end.</summary>
internal static class HostFlows
{
    private const int MostTasks = 256;

    /// <summary>The last of the program's methods among these, where none of the last is known to end; null for others.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="awaited">What the host awaits, directly or behind others.</param>
    /// <param name="behindInput">Input and output that lead to what is waited for say nothing: to a server's connections everything is in reach.</param>
    public static FlowGroup? End(RuleContext context, IReadOnlyList<FlowGroup> awaited, bool behindInput = false)
    {
        FlowGroup[] behind = [.. awaited.Where(group => group.State == FlowState.Suspended && !Frameworks.IsOwn(group.Method) && group.Waits.Kind != FlowWaitKind.AsyncMethod)];
        FlowGroup[] last = [.. behind.Where(group => !behind.Any(other => other != group && other.AwaitedBy.Contains(group.Method)))];
        return last.Length > 0 && last.All(group => IsOpen(context, group.Waits, behindInput) && !IsLimitedBehind(context, group)) ? last[0] : null;
    }

    /// <summary>
    /// The method among these that goes round a loop without a way out; null where there is none, and where a token may end what it waits
    /// for.
    /// </summary>
    /// <param name="awaited">What the host awaits, directly or behind others.</param>
    public static FlowGroup? Endless(IReadOnlyList<FlowGroup> awaited)
        => awaited.FirstOrDefault(group => group is { LoopEnd: FlowLoopEnd.None }
            && awaited.Where(other => other == group || other.AwaitedBy.Contains(group.Method)).ToArray() is var inner
            && inner.All(other => other is { Waits.EndsByToken: false, LoopEnd: not FlowLoopEnd.Token })
            && inner.Any(other => other.Waits.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer or FlowWaitKind.Queued));

    /// <summary>The same of the task on which a thread blocks.</summary>
    public static FlowGroup? BlockedOn(RuleContext context, ThreadId thread)
    {
        Address[] tasks = [.. context.Graph.From(WaitNode.Of(thread)).Where(edge => edge is { EndsByItself: false, Alternatives: 1 }).Select(edge => edge.To.Task).OfType<Address>()];
        HashSet<Address> needed = [.. tasks];
        Queue<Address> open = new(tasks);
        while (open.TryDequeue(out Address next) && needed.Count < MostTasks)
        {
            foreach (Address other in (context.FindTask(next)?.Needs ?? []).Select(need => need.Task).OfType<Address>().Where(needed.Add))
            {
                open.Enqueue(other);
            }
        }

        return End(context, [.. context.Flows.Groups.Where(group => needed.Contains(group.Sample))]);
    }

    // One that awaits it stops doing so when its time is over, as WaitAsync does.
    private static bool IsLimitedBehind(RuleContext context, FlowGroup group)
        => context.Flows.Groups.Any(other => other.State == FlowState.Suspended && other.Waits.IsLimited() && group.AwaitedBy.Contains(other.Method));

    private static bool IsOpen(RuleContext context, FlowWait wait, bool behindInput)
        => !wait.IsLimited()
            && wait.Kind is FlowWaitKind.Channel or FlowWaitKind.Pipe or FlowWaitKind.Semaphore or FlowWaitKind.Task or FlowWaitKind.InfiniteDelay
            && wait.Queue is not { Used: > 0, Waits: FlowQueueEnd.Reader }
            && (!Workers.MayEnd(context, wait.Reach) || (behindInput && wait.Reach?.By == FlowRoot.InputOutput));
}
