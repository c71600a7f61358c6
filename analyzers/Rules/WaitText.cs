using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>Says where a thread waits.</summary>
internal static class WaitText
{
    /// <summary>
    /// As "KERNELBASE!ReadFile in app!load+0x14": the call into the system and the code that made it. The innermost frame where
    /// all are the system's; null where there are none.
    /// </summary>
    public static string? Of(ThreadFacts thread)
        => (Call(thread), UserCode.In(thread)) switch
        {
            ({ } call, { } caller) => $"{call} in {FrameText.Of(caller)}",
            (null, { } caller) => FrameText.Of(caller),
            _ => thread.Stack.Frames is [FrameFacts top, ..] ? FrameText.Of(top) : null,
        };

    /// <summary>The outermost function of the system's layers through which the thread went in, as "KERNELBASE!ReadFile".</summary>
    public static string? Call(ThreadFacts thread)
        => thread.Stack.Frames.TakeWhile(SystemLayers.Contain).LastOrDefault(frame => frame.Method is not null) is { } call
            ? FrameText.Of(call).Split('+')[0]
            : null;
}
