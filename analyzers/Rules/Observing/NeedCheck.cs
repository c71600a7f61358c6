using HangTriage.Facts;

namespace HangTriage.Rules.Observing;

/// <summary>Holds what a rule needs against what the facts have.</summary>
internal static class NeedCheck
{
    /// <summary>Why the pattern cannot occur in such a target; null where it can.</summary>
    public static string? WhyNotApplicable(Need needs, ProcessSnapshot snapshot)
        => needs.HasFlag(Need.Windows) && snapshot.Windows is null ? "the process is not one of Windows"
            : needs.HasFlag(Need.NativeLocks) && snapshot.NativeLocks is null ? "locks of this system are not read"
            : needs.HasFlag(Need.Managed) && snapshot.Managed is null ? "the process runs no .NET"
            : null;

    /// <summary>What is missing of what the rule needs, in the order of the facts.</summary>
    public static IReadOnlyList<Gap> Missing(Need needs, ProcessSnapshot snapshot)
    {
        bool ofSystem = needs.HasFlag(Need.NativeLocks) || needs.HasFlag(Need.AnyLocks);
        List<Gap?> gaps =
        [
            needs.HasFlag(Need.Threads) ? snapshot.Threads.Gap : null,
            needs.HasFlag(Need.LoaderLock) ? snapshot.Windows?.LoaderLock.Gap : null,
            ofSystem ? snapshot.NativeLocks?.Gap : null,
            ofSystem ? snapshot.NativeWaits?.Gap : null,
        ];

        bool ofRuntime = (needs & (Need.Managed | Need.ManagedLocks | Need.Tasks | Need.Collections | Need.AnyLocks)) != 0;
        if (snapshot.Managed is { } section && ofRuntime)
        {
            gaps.Add(section.Gap);
            if (section.TryGet(out ManagedFacts? managed))
            {
                bool locks = needs.HasFlag(Need.ManagedLocks) || needs.HasFlag(Need.AnyLocks);
                gaps.AddRange(
                [
                    locks ? managed.Locks.Gap : null,
                    locks ? managed.Waits.Gap : null,
                    needs.HasFlag(Need.Tasks) ? managed.Tasks.Gap : null,
                    needs.HasFlag(Need.Tasks) ? managed.UiThreads.Gap : null,
                    needs.HasFlag(Need.Collections) ? managed.Collections?.Gap : null,
                ]);
            }
        }

        return [.. gaps.OfType<Gap>().Distinct()];
    }
}
