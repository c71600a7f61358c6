using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Layout;
using HangTriage.Capture.Windows.Loader;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>What the readers of native locks share.</summary>
internal sealed record LockContext(
    TargetMemory Memory, NativeLayout Layout, ImageMap Images, LoaderKnowledge Loader, CaptureContext Capture)
{
    private const uint FirstWithWaitTable = 10240; // Windows 10

    /// <summary>Stack words and wait blocks that may still be looked at.</summary>
    public ScanBudget Budget { get; } = new();

    /// <summary>Why there is no table of WaitOnAddress to read; null where there is one.</summary>
    public string? WhyNoWaitTable
        => Loader.IsWine ? "the process runs in Wine"
            : !Loader.OsBuild.TryGet(out uint build) ? "the build of Windows is not known"
            : build < FirstWithWaitTable ? $"Windows {build} has none in the process environment block"
            : null;
}
