using HangTriage.Facts;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Loader;

/// <summary>The two things of the loader that a thread can hold: its lock, and the load in progress.</summary>
internal static class LoaderLocks
{
    /// <summary>Those that are held by a thread that is known.</summary>
    public static IEnumerable<LockFacts> HeldIn(RuleContext context)
        => context.Locks.Where(@lock => @lock.Id.Kind.IsOfLoader() && @lock.IsHeld.Is(isHeld => isHeld) && @lock.Owner.HasValue);

    /// <summary>What their one owner does: "holds the loader lock and is the load owner".</summary>
    public static string InWords(IEnumerable<LockFacts> held)
        => string.Join(" and ", held.Select(@lock => @lock.Id.Kind == LockKind.LoaderLock ? "holds the loader lock" : "is the load owner"));
}
