using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Locks;

/// <summary>Says which missing processor time or start of a thread can hide that a lock's owner computes while others wait.</summary>
internal static class UnseenBusyOwner
{
    /// <param name="context">The facts.</param>
    /// <param name="lock">The lock.</param>
    /// <param name="isKept">The wait is seen to be one of a thread that has hardly run.</param>
    /// <param name="fewest">How many such waits make the pattern.</param>
    public static IEnumerable<Gap> Of(RuleContext context, LockFacts @lock, Func<WaitEdge, CpuShare, bool> isKept, Func<WaitEdge[], int> fewest)
    {
        if (@lock.HasWokenWaiter == true || !@lock.Owner.TryGet(out ThreadId id) || context.Find(id) is not { State: ThreadActivity.Running } owner)
        {
            return [];
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(@lock.Id)).Where(wait => wait.From.Thread is not null && !wait.EndsByItself)];
        if (OfOwner(context, owner.Thread) is { } gap)
        {
            return waits.Length >= fewest(waits) ? [gap] : [];
        }

        if (!CpuShare.Of(owner.Thread, context.Snapshot.Target).TryGet(out CpuShare? cpu) || !cpu.IsBusy(context.ProcessCpu))
        {
            return [];
        }

        WaitEdge[] open = [.. waits.Where(wait => OfWaiter(context, wait) is not null)];
        WaitEdge[] possible = [.. waits.Where(wait => isKept(wait, cpu)).Concat(open)];
        return open.Length > 0 && possible.Length >= fewest(possible) ? open.Select(wait => OfWaiter(context, wait)!).Distinct() : [];
    }

    private static Gap? OfOwner(RuleContext context, ThreadFacts owner)
        => Lost.Of(context, owner, thread => thread.Cpu)
            ?? (CpuShare.Of(owner, context.Snapshot.Target).TryGet(out CpuShare? cpu) && cpu is { IsMuch: true, Share: null } && !cpu.IsBusy(context.ProcessCpu)
                ? Lost.Of(context, owner, thread => thread.StartedAt) ?? (owner.StartedAt.HasValue ? cpu.Life.Gap : null)
                : null);

    private static Gap? OfWaiter(RuleContext context, WaitEdge wait)
        => context.Find(wait.From.Thread!.Value) is { } waiter ? Lost.Of(context, waiter.Thread, thread => thread.Cpu) : null;
}
