using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Tells the program's own code from that of the framework and the system.</summary>
internal static class UserCode
{
    // As written, behind one that awaits, and of a program whose statements stand outside of any method.
    private static readonly string[] s_mains = [".Main", ".<Main>", ".<Main>$"];

    /// <summary>
    /// The innermost frame of the program's own, one that is made while it runs only where there is no other; null where there is none,
    /// or no thread.
    /// </summary>
    public static FrameFacts? In(ThreadFacts? thread)
        => thread?.Stack.Frames.FirstOrDefault(frame => IsOfProgram(frame) && !Frameworks.IsDynamic(frame.Method))
            ?? thread?.Stack.Frames.FirstOrDefault(IsOfProgram);

    /// <summary>A managed frame of the program's own.</summary>
    public static bool IsManaged(FrameFacts frame) => frame is { Kind: FrameKind.Managed, Method: { } method } && !IsOfFramework(method);

    /// <summary>A line of source is known of one of its frames.</summary>
    public static bool HasSource(ThreadFacts thread) => thread.Stack.Frames.Any(frame => frame.Source is not null);

    /// <summary>The outermost code of the program's own is its Main, of .NET. What the first thread of a native program is for, nothing tells.</summary>
    public static bool IsUnderMain(IReadOnlyList<FrameFacts> frames)
        => frames.LastOrDefault(IsManaged)?.Method is { } outermost && IsMain(outermost);

    /// <summary>Main, or what the compiler makes of an async or top-level one.</summary>
    public static bool IsMain(string method) => Array.Exists(s_mains, main => method.EndsWith(main, StringComparison.Ordinal));

    /// <summary>A method that the runtime makes for a call into native code or back, where it does not compile it into the caller.</summary>
    public static bool IsStub(FrameFacts frame) => Frameworks.IsStub(frame.Method);

    /// <summary>A type or method of .NET, a stub that it generates, or of a framework for user interfaces.</summary>
    public static bool IsOfFramework(string name) => Frameworks.IsOwn(name);

    private static bool IsOfProgram(FrameFacts frame) => frame.Kind == FrameKind.Native ? !SystemLayers.Contain(frame) : IsManaged(frame);
}
