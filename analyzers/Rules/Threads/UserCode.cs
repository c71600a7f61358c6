using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Tells the program's own code from that of the framework and the system.</summary>
internal static class UserCode
{
    /// <summary>The innermost frame of the program's own; null where there is none, or no thread.</summary>
    public static FrameFacts? In(ThreadFacts? thread)
        => thread?.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Native ? !SystemLayers.Contain(frame) : IsManaged(frame));

    /// <summary>A managed frame of the program's own.</summary>
    public static bool IsManaged(FrameFacts frame) => frame is { Kind: FrameKind.Managed, Method: { } method } && !IsOfFramework(method);

    /// <summary>A method that the runtime makes for a call into native code or back, where it does not compile it into the caller.</summary>
    public static bool IsStub(FrameFacts frame) => Frameworks.IsStub(frame.Method);

    /// <summary>A type or method of .NET, a stub that it generates, or of a framework for user interfaces.</summary>
    public static bool IsOfFramework(string name) => Frameworks.IsOwn(name);
}
