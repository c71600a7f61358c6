using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Threads;

/// <summary>Says where a thread waits.</summary>
internal static class WaitPlace
{
    /// <summary>
    /// As "KERNELBASE!ReadFile in app!load+0x14": the call into the system or .NET and the code of the program's that made it.
    /// The innermost frame where all are the system's; null where there are none.
    /// </summary>
    public static string? Of(ThreadFacts thread)
        => (Call(thread), thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) ?? UserCode.In(thread)) switch
        {
            ({ } call, { } caller) => $"{call} in {FrameText.Of(caller)}",
            (null, { } caller) => FrameText.Of(caller),
            _ => thread.Stack.Frames is [FrameFacts top, ..] ? FrameText.Of(top) : null,
        };

    /// <summary>As "Cache.Trim (Shop/Cache.cs:39)": the program's own method, for sentences that go on with what it waits for; of native code the call too.</summary>
    public static string? InProgram(ThreadFacts thread)
        => thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) is { Method: { } method } frame
            ? $"{MethodText.Short(method)}{(frame.Source is { } line ? $" ({line})" : string.Empty)}"
            : (Call(thread), UserCode.In(thread)) is ({ } call, { } caller) ? $"{call}, called by {FrameText.Of(caller)}"
            : Of(thread);

    /// <summary>The outermost function of the system's layers or of .NET through which the thread went in, as "KERNELBASE!ReadFile".</summary>
    public static string? Call(ThreadFacts thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        FrameFacts? call = frames.Any(UserCode.IsManaged)
            ? frames.TakeWhile(frame => !UserCode.IsManaged(frame)).LastOrDefault(frame => frame.Kind == FrameKind.Managed && !UserCode.IsStub(frame))
            : frames.TakeWhile(SystemLayers.Contain).LastOrDefault(frame => frame.Method is not null);
        return call is null ? null : FrameText.Of(call).Split('+')[0];
    }
}
