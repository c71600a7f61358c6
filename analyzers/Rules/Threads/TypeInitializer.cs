using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Recognises who runs a static constructor, and who waits until another thread has run one. Which type's that is, no frame says.</summary>
internal static class TypeInitializer
{
    /// <summary>The thread stands in the runtime's method that runs a static constructor, and runs none: another thread does.</summary>
    public static bool IsAwaitedBy(ThreadFacts thread)
        => thread.IsInSystemCall?.Is(isInSystemCall => !isInSystemCall) != true
            && DotNetCalls.Find(thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed)?.Method)?.Meaning == CallMeaning.RunsTypeInitializer;

    /// <summary>
    /// The thread blocks in the runtime itself, called by the program's own code, without a timeout: up to .NET 9 all that shows
    /// of such a wait, and of some others.
    /// </summary>
    public static bool MayBeAwaitedBy(ThreadFacts thread)
        => Timeouts.InCallOf(thread) == false
            && thread.Stack.Frames is [{ Kind: FrameKind.Runtime, Method: "[HelperMethodFrame]" }, { Kind: FrameKind.Managed }, ..];

    /// <summary>The innermost static constructor that the thread is in; null for none.</summary>
    public static FrameFacts? RunBy(ThreadFacts thread)
        => thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed && frame.Method?.EndsWith("..cctor", StringComparison.Ordinal) == true);
}
