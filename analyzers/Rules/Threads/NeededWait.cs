using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Waits of a thread that are not for something to do.</summary>
internal static class NeededWait
{
    /// <summary>For room for what it has.</summary>
    public static bool IsForRoom(ThreadFacts thread) => InFrameworkOf(thread).Any(frame => NeededCalls.IsForRoom(frame.Method));

    /// <summary>The same, or for others who are to come.</summary>
    public static bool Is(ThreadFacts thread) => IsForRoom(thread) || InFrameworkOf(thread).Any(Counts);

    /// <summary>The frame waits until as many have come as are to come.</summary>
    public static bool Counts(FrameFacts frame) => frame.Kind == FrameKind.Managed && NeededCalls.Counts(frame.Method);

    // What the program has called last.
    private static IEnumerable<FrameFacts> InFrameworkOf(ThreadFacts thread)
        => thread.Stack.Frames.TakeWhile(frame => !UserCode.IsManaged(frame)).Where(frame => frame.Kind == FrameKind.Managed);
}
