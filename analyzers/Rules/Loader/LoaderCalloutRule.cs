using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>
/// The owner of the loader lock waits, in a DllMain or another callback of the loader, while a thread needs the loader, or when
/// the process ends and no other thread is left.
/// </summary>
public sealed class LoaderCalloutRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3002", "DllMain waits for a thread", "A thread waits in DllMain, holding the loader lock, while others need the loader to continue.")
    {
        Patterns = Pattern.LoaderCallout | Pattern.ExitWait,
        Needs = Need.Windows | Need.Threads | Need.LoaderLock,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
        [
            .. LoaderLocks.HeldIn(context)
                .GroupBy(held => held.Owner.Value)
                .Select(group => Find(context, group.Key, [.. group]))
                .OfType<Observation>(),
            .. new[] { ExitWait.Find(context, Info, Callout) }.OfType<Observation>(),
        ]);
    }

    private Observation? Find(RuleContext context, ThreadId ownerId, LockFacts[] held)
    {
        if (context.Find(ownerId) is not { State: ThreadActivity.WaitsForObject } owner || Callout(owner.Thread) is not { } callout)
        {
            return null;
        }

        WaitEdge[] waits =
        [
            .. held.SelectMany(@lock => context.Graph.To(WaitNode.Of(@lock.Id))).Where(edge => edge.From.Thread is { } thread && thread != ownerId),
        ];
        return waits.Length == 0 ? null : Describe(context, held, owner, callout, waits);
    }

    private Observation Describe(RuleContext context, LockFacts[] held, ThreadAssessment owner, FrameFacts callout, WaitEdge[] waits)
    {
        WaitEdge? join = context.Graph.From(WaitNode.Of(owner.Thread.OsId)).FirstOrDefault(edge => waits.Any(wait => wait.From == edge.To));
        WaitEdge partner = waits.FirstOrDefault(wait => wait.From == join?.To) ?? waits.FirstOrDefault(wait => IsAtItsStartOrEnd(context, wait)) ?? waits[0];
        Claim label = Parties.Label(context, owner.Thread.OsId);
        string duty = SpinText.LoaderDuty(owner.Thread) is { } text ? $" during {text}" : string.Empty;
        Claim does = $"{LoaderLocks.InWords(held)} and waits ({WaitPlace.Call(owner.Thread) ?? "a wait"} in {Claim.Of(callout)}{duty})";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.LoaderCallout,
            Links = join is null ? LinkTrust.Guessed : Links.Of(join.Trust),
            Signs = (join is null ? Sign.None : Sign.JoinsWaiter) | (IsAtItsStartOrEnd(context, partner) ? Sign.WaiterStartsOrEnds : Sign.None),
            Title = $"{label} {does}; {Parties.Of(context, partner.From)} cannot continue without the loader",
            Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = does },
            Chain =
            [
                new ChainLink(
                    Parties.OfThread(context, owner.Thread.OsId),
                    join is null ? "waits in a callback of the loader, apparently for" : EdgeText.Of(join.Kind),
                    Parties.Of(context, partner.From)),
                Parties.Link(context, partner),
                Parties.Link(context, context.Graph.From(partner.To)[0]),
            ],
            Victims = Waiters.PartiesOf(context, waits.Where(wait => wait != partner).Select(wait => wait.From), "waits for the loader"),
            Evidence = [.. EvidenceFor(context, held, owner, callout, duty), .. Waiters.Sentences(context, join is null ? waits : [join, .. waits])],
            Gaps = join is null ? [new Gap($"what {label} waits for", "the dump does not say which thread or event its handle stands for")] : [],
            Advice =
            [
                "Do not wait for threads in DllMain, nor for anything that another thread must do: its start, its end and each load need the loader.",
                "Start and stop the library's threads in functions of its own that the program calls.",
            ],
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }

    private static IEnumerable<Evidence> EvidenceFor(RuleContext context, LockFacts[] held, ThreadAssessment owner, FrameFacts callout, string duty)
    {
        Claim label = Parties.Label(context, owner.Thread.OsId);
        foreach (LockFacts @lock in held)
        {
            yield return new Evidence($"{Parties.Label(context, @lock.Id)} is held by {label}", "loader", @lock.Owner.Trust) { Address = @lock.Id.Address };
        }

        yield return new Evidence(
            $"{label} is in {WaitPlace.Call(owner.Thread) ?? "a wait"}, called from {Claim.Of(callout)}, which the loader called{duty}", "stack", owner.Trust)
        {
            Thread = owner.Thread.OsId,
            Frame = owner.Frame is null ? null : Claim.Of(owner.Frame),
        };
    }

    private static bool IsAtItsStartOrEnd(RuleContext context, WaitEdge wait)
        => context.Find(wait.From.Thread!.Value)?.Thread.Stack.Frames.Any(frame => frame.Method is LoaderCalls.ThreadStart or LoaderCalls.ThreadExit) == true;

    /// <summary>The code outside the system's layers that waits, if the loader called it.</summary>
    private static FrameFacts? Callout(ThreadFacts thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        int callout = frames.TakeWhile(frame => SystemLayers.Contain(frame) && !NativeCalls.EntersLoader(frame)).Count();
        return callout < frames.Count && !SystemLayers.Contain(frames[callout]) && frames.Skip(callout).Any(NativeCalls.EntersLoader)
            ? frames[callout]
            : null;
    }
}
