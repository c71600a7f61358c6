using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>Threads that have to do with windows, by stack and environment block.</summary>
internal static class WindowThreads
{
    /// <summary>The thread is in the handling of a message that its loop has taken: nobody answers its windows meanwhile.</summary>
    public static bool Dispatches(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => IsUser32(frame)
            && frame.Method is { } method
            && (method.StartsWith("DispatchMessage", StringComparison.Ordinal) || method.StartsWith("CallWindowProc", StringComparison.Ordinal)));

    /// <summary>The thread can own windows: it has called into the window system. False where nothing says so.</summary>
    public static bool CanOwnWindows(ThreadFacts thread)
        => Dispatches(thread)
            || (thread.Teb is { } teb && teb.TryGet(out TebFacts? block) && block.IsGuiThread is { } isGui && isGui.Is(isGuiThread => isGuiThread));

    private static bool IsUser32(FrameFacts frame) => string.Equals(frame.Module, "user32.dll", StringComparison.OrdinalIgnoreCase);
}
