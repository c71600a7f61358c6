using HangTriage.Facts;
using HangTriage.Rules.Tasks;

namespace HangTriage.Rules.Threads;

/// <summary>Tells the program's own code from that of the framework and the system.</summary>
internal static class UserCode
{
    /// <summary>The innermost frame of the program's own; null where there is none, or no thread.</summary>
    public static FrameFacts? In(ThreadFacts? thread) => thread?.Stack.Frames.FirstOrDefault(IsUserCode);

    private static bool IsUserCode(FrameFacts frame)
        => frame.Kind == FrameKind.Managed
            ? frame.Method is not null && !TaskText.IsFramework(frame)
            : frame.Kind == FrameKind.Native && !SystemLayers.Contain(frame);
}
