using HangTriage.Facts;

namespace HangTriage.Rules.Time;

/// <summary>Compares what a thread waits for in two samples.</summary>
internal static class WaitChange
{
    /// <summary>Null where one of the samples records no wait, or guesses it, or the collector may have moved the object that is waited for.</summary>
    public static bool? IsSame(IEnumerable<WaitFacts> now, IEnumerable<WaitFacts> then)
    {
        WaitFacts[] waits = [.. now];
        WaitFacts[] waitsThen = [.. then];
        return waits.Length == 0 || waitsThen.Length == 0 ? null
            : waits.Select(Identity).ToHashSet().SetEquals(waitsThen.Select(Identity)) ? true
            : waits.Concat(waitsThen).Any(CanDiffer) ? null
            : false;
    }

    private static (WaitKind Kind, LockId Lock) Identity(WaitFacts wait) => (wait.Kind, wait.Lock);

    private static bool CanDiffer(WaitFacts wait) => wait.Lock.Kind.IsManaged() || wait.Trust == Trust.Scanned;
}
