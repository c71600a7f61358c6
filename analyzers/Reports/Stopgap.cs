using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports;

/// <summary>What brings the service back before the bug is fixed; only where it is true and no advice of the finding says it.</summary>
internal static class Stopgap
{
    /// <summary>Null where a restart would not help, would not be enough, or the verdict is not sure enough for it.</summary>
    public static string? Of(Verdict verdict)
        => verdict.Confidence is null or Confidence.Possible ? null
            : IsEnding(verdict) ? "End the process by force (kill -9, taskkill /F): it was ending anyway."
            : verdict.Kind switch
        {
            VerdictKind.Deadlock => verdict.Chain.Any(link => IsLock(link.From) || IsLock(link.To))
                ? "Restart the process; it comes back when the same threads meet on the same locks again."
                : "Restart the process; it comes back when the same code runs in the same order again.",
            VerdictKind.Orphaned => OwnerLives(verdict)
                ? "Restart the process: the owner does not release the lock. It comes back when a thread stops under it again."
                : "Restart the process: nobody is left to release it. It comes back when an owner ends the same way.",
            VerdictKind.NeverCompleted => "Restart the process: nothing in it ends the wait. It comes back when the same signal or result is lost again.",
            VerdictKind.Starvation => "Restart the process; it comes back when as many requests block at once.",
            VerdictKind.SpinningOwner => "Restart the process (it may have to be killed); it comes back when the same threads meet again.",
            VerdictKind.RuntimeStall => "Restart the process (it may have to be killed); it comes back when the same code runs at the same moment.",
            _ => null,
        };

    private static bool IsLock(Party party) => party.Lock is { } held && !held.Kind.IsOfRuntime();

    // What a process waits for while it ends.
    private static bool IsEnding(Verdict verdict) => verdict.Rule?.Id == "HT6007" || (verdict.Kind == VerdictKind.NeverCompleted && verdict.Rule?.Id == "HT3002");

    private static bool OwnerLives(Verdict verdict)
        => verdict.Culprit is { Thread: not null } culprit && verdict.Chain.Any(link => link.From.Lock is not null && Chains.Same(link.To, culprit));
}
