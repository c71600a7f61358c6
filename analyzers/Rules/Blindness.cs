using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>What was missing of what judging reads: beside it nothing is called healthy.</summary>
internal static class Blindness
{
    /// <param name="context">The facts.</param>
    /// <param name="isAnythingFound">A rule found something, though it be no hang: then something could be seen.</param>
    public static IReadOnlyList<Gap> Of(RuleContext context, bool isAnythingFound)
        =>
        [
            .. context.Snapshot.Stopped is { } stopped ? [stopped] : Array.Empty<Gap>(),
            .. context.Losses,
            .. ThreadsWithoutStack(context, isAnythingFound),
            .. LocksOfUnknownState(context),
        ];

    // A lock that nobody is seen to wait for is no comfort where a stack does not tell what its thread does.
    private static IEnumerable<Gap> ThreadsWithoutStack(RuleContext context, bool isAnythingFound)
    {
        bool isNoneSeen = !isAnythingFound && context.Threads.All(thread => thread.State == ThreadActivity.Unknown);
        ThreadFacts[] unseen =
        [
            .. context.Threads
                .Where(thread => thread.State == ThreadActivity.Unknown && (isNoneSeen || IsUnseen(context, thread.Thread)))
                .Select(thread => thread.Thread),
        ];
        return unseen.Length == 0
            ? []
            : [new Gap(isNoneSeen ? "what the threads do" : $"what {unseen.Length} of {context.Threads.Count} threads do", unseen[0].Stack.Stopped?.Why ?? "no stack tells it")];
    }

    // A thread of a Linux core that runs no .NET is of the runtime or of a library. Native stacks of Linux are not read. Such
    // a thread in a system call is none that could be stuck on what is judged here; a debugger session does not tell where it is.
    private static bool IsUnseen(RuleContext context, ThreadFacts thread)
        => (thread.Stack.Frames.Count == 0 || thread.Stack.Stopped is not null)
            && !(context.Snapshot.Target.Os == TargetOs.Linux && thread.ManagedId is null && thread.IsInSystemCall?.Is(isInside => !isInside) != true);

    // Nobody holds what others are to signal.
    private static IEnumerable<Gap> LocksOfUnknownState(RuleContext context)
        => context.Locks
            .Where(@lock => !@lock.IsPassing
                && context.Graph.From(WaitNode.Of(@lock.Id)).All(edge => edge.Kind != EdgeKind.CompletedBy)
                && context.Graph.To(WaitNode.Of(@lock.Id)).Any(wait => !wait.EndsByItself && wait.Alternatives == 1))
            .SelectMany(@lock => new[] { @lock.IsHeld.Gap, @lock.Readers?.Gap, @lock.Entries?.Gap }.OfType<Gap>()
                .Select(gap => new Gap($"{gap.What} of {Parties.Label(context, @lock.Id)}, which a thread waits for", gap.Why)));
}
