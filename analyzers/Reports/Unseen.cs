using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Reports;

/// <summary>Everything that could not be seen, each gap once: what matters for the verdict first.</summary>
internal static class Unseen
{
    public static IReadOnlyList<Gap> Of(TriageResult result)
        => [.. result.Verdict.Gaps.Concat(OfSnapshot(result.Snapshot)).Distinct()];

    /// <summary>The gaps of the process as a whole; those of a single thread stand with the thread.</summary>
    public static IReadOnlyList<Gap> OfSnapshot(ProcessSnapshot snapshot)
    {
        TargetFacts target = snapshot.Target;
        List<Gap?> gaps =
        [
            .. snapshot.Gaps,
            snapshot.Threads.Gap, snapshot.Modules.Gap, snapshot.Managed?.Gap,
            snapshot.Windows?.Peb.Gap, snapshot.Windows?.LoaderLock.Gap,
            target.Pid.Gap, target.ProcessName.Gap, target.CapturedAt.Gap, target.StartedAt.Gap,
            target.OsBuild.Gap, target.ProcessorCount.Gap, target.Runtimes.Gap,
        ];
        if (snapshot.Managed?.TryGet(out ManagedFacts? managed) == true)
        {
            gaps.AddRange([managed.Locks.Gap, managed.Waits.Gap, managed.Tasks.Gap, managed.UiThreads.Gap]);
        }

        if (target.Runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? runtimes))
        {
            gaps.AddRange(runtimes.Select(runtime => runtime.Version.Gap));
        }

        return [.. gaps.OfType<Gap>().Distinct()];
    }

    public static IReadOnlyList<Gap> OfThread(ThreadFacts thread)
        => [.. new[] { thread.Name.Gap, thread.Cpu.Gap, thread.StartedAt.Gap, thread.Stack.Stopped, thread.Loop?.Gap }.OfType<Gap>().Distinct()];
}
