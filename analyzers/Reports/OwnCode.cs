using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Reports;

internal static class OwnCode
{
    /// <summary>The innermost frame that belongs to the program: not to a framework, nor to the layers above a system call; null where there is none.</summary>
    public static FrameFacts? In(ThreadFacts thread)
        => thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Native
            ? !SystemLayers.Contain(frame)
            : frame is { Kind: FrameKind.Managed, Method: { } method } && !Frameworks.IsOwn(method));
}
