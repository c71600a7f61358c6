using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>
/// The owner of the loader lock waits, in a DllMain or another callback of the loader, while a thread needs the loader, or when
/// the process ends and no other thread is left.
/// </summary>
public sealed class LoaderCalloutRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3002", "DllMain waits for a thread", "A thread waits in DllMain, holding the loader lock, while others need the loader to get on.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is not { } windows)
        {
            return RuleOutcome.NotApplicable("only Windows processes have a loader lock");
        }

        Finding[] findings =
        [
            .. LoaderLocks.HeldIn(context)
                .GroupBy(held => held.Owner.Value)
                .Select(group => Find(context, group.Key, [.. group]))
                .OfType<Finding>(),
            .. new[] { ExitWait.Find(context, Info, Callout) }.OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings)
            : windows.LoaderLock.Gap is { } gap ? RuleOutcome.Blind(gap)
            : RuleOutcome.Clean();
    }

    /// <summary>A cycle through what one thread holds of the loader, and through the end of another thread, is this rule's.</summary>
    internal static bool IsItsCycle(WaitGraph graph, IReadOnlyList<WaitNode> cycle)
    {
        WaitNode[] locks = [.. cycle.Where(node => node.Lock is not null)];
        return locks.Length > 0
            && locks.All(node => LoaderLocks.IsOne(node.Lock!))
            && locks.SelectMany(graph.From).Select(edge => edge.To).Distinct().Count() == 1;
    }

    private Finding? Find(RuleContext context, ThreadId ownerId, LockFacts[] held)
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

    private Finding Describe(RuleContext context, LockFacts[] held, ThreadAssessment owner, FrameFacts callout, WaitEdge[] waits)
    {
        WaitEdge? join = context.Graph.From(WaitNode.Of(owner.Thread.OsId)).FirstOrDefault(edge => waits.Any(wait => wait.From == edge.To));
        WaitEdge partner = waits.FirstOrDefault(wait => wait.From == join?.To) ?? waits.FirstOrDefault(wait => IsAtItsStartOrEnd(context, wait)) ?? waits[0];
        (Confidence confidence, string reason) = Judge(context, join, partner);
        string call = WaitText.Call(owner.Thread) ?? "a wait";
        string holds = LoaderLocks.InWords(held);
        string label = Parties.Label(context, owner.Thread.OsId);
        string other = Parties.Of(context, partner.From).Label;
        string duty = SpinText.LoaderDuty(owner.Thread) is { } text ? $" during {text}" : string.Empty;

        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.Deadlock,
            Confidence = confidence,
            ConfidenceReason = reason,
            Title = $"{label} {holds} and waits ({call} in {FrameText.Of(callout)}{duty}); {other} cannot get on without the loader",
            Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = $"{holds} and waits: {call} in {FrameText.Of(callout)}{duty}" },
            Chain =
            [
                new ChainLink(
                    Parties.OfThread(context, owner.Thread.OsId),
                    join?.Label ?? "waits in a callback of the loader, by all appearances for",
                    Parties.Of(context, partner.From)),
                Parties.Link(context, partner),
                Parties.Link(context, context.Graph.From(partner.To)[0]),
            ],
            Victims = [.. waits.Where(wait => wait != partner).Select(wait => Parties.Of(context, wait.From) with { Role = "waits for the loader" })],
            Evidence =
            [
                .. held.Select(@lock => new Evidence($"{Parties.Label(context, @lock.Id)} is held by {label}", "loader", @lock.Owner.Trust) { Address = @lock.Id.Address }),
                new Evidence($"{label} is in {call}, called from {FrameText.Of(callout)}, which the loader called{duty}", "stack", owner.Trust)
                {
                    Thread = owner.Thread.OsId,
                    Frame = owner.Frame is null ? null : FrameText.Of(owner.Frame),
                },
                .. join is null ? [] : new[] { new Evidence($"{label} waits for the end of {other}", join.Source, join.Trust) },
                .. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} {wait.Label} {Parties.Of(context, wait.To).Label}", wait.Source, wait.Trust)
                {
                    Thread = wait.From.Thread,
                }),
            ],
            Gaps = join is null ? [new Gap($"what {label} waits for", "the dump does not say which thread or event its handle stands for")] : [],
            Advice =
            [
                "Do not wait for threads in DllMain, nor for anything that another thread must do: its start, its end and each load need the loader.",
                "Start and stop the library's threads in functions of its own that the program calls.",
            ],
            Signature = Signature.Of(Info, owner.Thread.Stack.Frames),
        };
    }

    private static (Confidence Confidence, string Reason) Judge(RuleContext context, WaitEdge? join, WaitEdge partner)
        => (join, IsAtItsStartOrEnd(context, partner)) switch
        {
            ({ Trust: Trust.Read or Trust.Derived }, _) => (Confidence.Certain, "the owner waits for the end of a thread that waits for the loader"),
            ({ }, _) => (Confidence.Likely, "the owner waits for the end of a thread that waits for the loader; which thread is guessed from a handle on the stack"),
            (_, true) => (Confidence.Likely, "the owner waits in a callback of the loader, and a thread can neither start nor end without the loader; that the owner waits for this thread is concluded"),
            _ => (Confidence.Possible, "the owner waits in a callback of the loader while others need the loader; for whom it waits is not known"),
        };

    private static bool IsAtItsStartOrEnd(RuleContext context, WaitEdge wait)
        => context.Find(wait.From.Thread!.Value)?.Thread.Stack.Frames.Any(frame => frame.Method is "LdrInitializeThunk" or "LdrShutdownThread") == true;

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
