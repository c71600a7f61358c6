using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>Tells the program's own code from that of the framework and the system.</summary>
internal static class UserCode
{
    private const string Stub = "(dynamicClass).IL_STUB";

    // Interop: where .NET's own assemblies declare the functions of the system that they call.
    private static readonly string[] s_frameworks = ["System.", "Microsoft.", "Avalonia.", "MS.", "Windows.Win32.", "Interop+", Stub];

    /// <summary>The innermost frame of the program's own; null where there is none, or no thread.</summary>
    public static FrameFacts? In(ThreadFacts? thread)
        => thread?.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Native ? !SystemLayers.Contain(frame) : IsManaged(frame));

    /// <summary>A managed frame of the program's own.</summary>
    public static bool IsManaged(FrameFacts frame) => frame is { Kind: FrameKind.Managed, Method: { } method } && !IsOfFramework(method);

    /// <summary>A method that the runtime makes for a call into native code or back, where it does not compile it into the caller.</summary>
    public static bool IsStub(FrameFacts frame) => frame.Method?.StartsWith(Stub, StringComparison.Ordinal) == true;

    /// <summary>A type or method of .NET, a stub that it generates, or of a framework for user interfaces.</summary>
    public static bool IsOfFramework(string name) => s_frameworks.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal));
}
