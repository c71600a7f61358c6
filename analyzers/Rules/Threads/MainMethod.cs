using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>Recognises the thread that runs a .NET program's Main.</summary>
internal static class MainMethod
{
    private static readonly string[] s_names = [".Main", ".<Main>", ".<Main>$"];

    /// <summary>The outermost managed frame of the program's own is Main, or what the compiler makes of an async or top-level one.</summary>
    public static bool Runs(IReadOnlyList<FrameFacts> frames)
        => frames.LastOrDefault(UserCode.IsManaged)?.Method is { } outermost
            && Array.Exists(s_names, name => outermost.EndsWith(name, StringComparison.Ordinal));
}
