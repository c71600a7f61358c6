using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Capture.Windows.Locks;

/// <summary>What the reader makes of a synthetic dump.</summary>
internal static class Captured
{
    public static ProcessSnapshot Of(SyntheticProcess process, SyntheticContents contents = SyntheticContents.All, CaptureLimits? limits = null)
        => Of(process.ToMinidump(contents), limits);

    public static ProcessSnapshot Of(SyntheticMinidump dump, CaptureLimits? limits = null)
    {
        using ScratchFile file = new(dump.Build());
        return TargetFile.Capture(file.Path, CaptureContext.Default with { Limits = limits ?? CaptureLimits.Default });
    }

    public static IReadOnlyList<WaitFacts> Waits(this ProcessSnapshot snapshot) => snapshot.Windows!.Waits.Value;

    public static IReadOnlyList<LockFacts> Locks(this ProcessSnapshot snapshot) => snapshot.Windows!.Locks.Value;

    /// <summary>The one wait of a thread; null where there is none.</summary>
    public static WaitFacts? WaitOf(this ProcessSnapshot snapshot, uint thread)
        => snapshot.Waits().SingleOrDefault(wait => wait.Thread.Value == thread);

    public static Gap? GapOf(this ProcessSnapshot snapshot, string what)
        => snapshot.Gaps.FirstOrDefault(gap => gap.What.Contains(what, StringComparison.Ordinal));
}
