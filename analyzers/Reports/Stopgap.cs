using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports;

/// <summary>What brings the service back before the bug is fixed; only where it is true and no advice of the finding says it.</summary>
internal static class Stopgap
{
    /// <summary>Null where a restart would not help, would not be enough, or the verdict is not sure enough for it.</summary>
    public static string? Of(Verdict verdict)
        => verdict.Confidence is null or Confidence.Possible ? null : verdict.Kind switch
        {
            VerdictKind.Deadlock => "Restart the process; it comes back when the same threads meet on the same locks again.",
            VerdictKind.Orphaned => "Restart the process: nobody is left to release it. It comes back when an owner ends the same way.",
            VerdictKind.NeverCompleted => "Restart the process: nothing in it ends the wait. It comes back when the completion is lost again.",
            VerdictKind.Starvation => "Restart the process; it comes back when as many requests block at once.",
            VerdictKind.SpinningOwner => "Restart the process (it may have to be killed); it comes back when the same threads meet again.",
            VerdictKind.RuntimeStall => "Restart the process (it may have to be killed); it comes back when the same code runs at the same moment.",
            _ => null,
        };
}
