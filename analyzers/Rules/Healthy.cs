using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Scheduling;
using HangTriage.Rules.Suspects;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>The verdict where every rule saw what it needs, and nothing was found.</summary>
internal static class Healthy
{
    public static Verdict Describe(RuleContext context, PolicyRow row, IReadOnlyList<Finding> findings) => new()
    {
        Kind = row.Kind,
        Confidence = row.Confidence,
        ConfidenceReason = ReasonText.Of(row.Reason),
        Title = context.Case.IsSaidToHang ? "The process is said to hang, and no thread in it is seen to be stuck" : Title(context),
        Signature = context.Case.IsSaidToHang ? "inconclusive" : "not hung",
        Evidence = [.. findings.Select(Of), .. context.Case.IsTraceAlone
            ? TraceAccount.Healthy(context) : States(context), .. OfLoader(context)],
    };

    /// <summary>The verdict where the one wait of unknown end is for what work under way may bring.</summary>
    public static Verdict DescribeWork(RuleContext context, PolicyRow row, IReadOnlyList<Finding> findings, Suspect suspect)
    {
        Verdict verdict = Describe(context, row, findings);
        return verdict with
        {
            Title = $"No hang found: {ShortTitle.Of(suspect.Title)}, which work under way may end: {suspect.Work}",
            Evidence =
            [
                new Evidence($"{suspect.Title}; work under way leads to it: {suspect.Work}", "heap", Trust.Derived),
                .. verdict.Evidence,
            ],
        };
    }

    // What one sample alone would call a hang has to say why it is none.
    private static Evidence Of(Finding finding)
        => new(finding.Case?.Samples == Samples.PassedOn || finding.Row?.Reason == Reason.RunsInTrace ? $"{finding.Title}; but {finding.ConfidenceReason}" : finding.Title, finding.Rule.Id, Trust.Derived);

    private static Claim Title(RuleContext context)
    {
        if (context.Case.IsTraceAlone)
        {
            return TraceAccount.Title(context);
        }

        int waiting = context.Threads.Count(thread => thread.State is ThreadActivity.WaitsForLock or ThreadActivity.WaitsForLoader);
        int others = context.Threads.Count(thread => context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Count > 0);
        return (waiting, others) switch
        {
            (0, 0) => "No hang found: no thread waits for another",
            (0, _) => (Claim)$"No hang found: {Count.Waiting(others)} for a task, a signal or another thread, and none of these is known to be stuck",
            _ => (Claim)$"No hang found: {Count.Waiting(waiting)} for a lock, and no chain of waits ends in a thread that is stuck",
        };
    }

    private static IEnumerable<Evidence> States(RuleContext context)
        => context.Threads
            .GroupBy(thread => thread.State)
            .OrderByDescending(group => group.Count())
            .Select(group => new Evidence($"{Count.Of(group.Count(), "thread")} {Doing(group.Key)}", "stacks", Trust.Derived));

    private static IEnumerable<Evidence> OfLoader(RuleContext context)
        => context.Snapshot.Windows is { } windows
            && windows.LoaderLock.TryGet(out LockFacts? loaderLock)
            && loaderLock.IsHeld.TryGet(out bool isHeld)
                ? [new Evidence(
                    isHeld ? "the loader lock is held, and nobody waits for it" : "the loader lock is free",
                    "loader lock",
                    loaderLock.IsHeld.Trust) { Address = loaderLock.Id.Address }]
                : [];

    private static string Doing(ThreadActivity state) => state switch
    {
        ThreadActivity.Running => "in code of their own",
        ThreadActivity.Yielding => "in a yield",
        ThreadActivity.Sleeping => "asleep",
        ThreadActivity.Suspended => "suspended",
        ThreadActivity.WaitsForLock => "waiting for a lock",
        ThreadActivity.WaitsForLoader => "waiting for the loader",
        ThreadActivity.WaitsForObject => "waiting for an event, a pulse or another object",
        ThreadActivity.WaitsForIo => "waiting for input or output",
        ThreadActivity.WaitsForAnswer => "waiting for the answer to a window message",
        ThreadActivity.WaitsForReply => "waiting for the answer of a COM or RPC call",
        ThreadActivity.WaitsForMessage => "waiting for a message",
        ThreadActivity.IdlePoolWorker => "idle in a pool",
        _ => "of which the stack does not tell what they do",
    };
}
