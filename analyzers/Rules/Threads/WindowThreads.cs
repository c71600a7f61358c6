using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Threads that have to do with windows, by stack and environment block.</summary>
internal static class WindowThreads
{
    /// <summary>The thread is in the handling of a message that its loop has taken: nobody answers its windows meanwhile.</summary>
    public static bool Dispatches(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => WindowsFunctions.Find(frame)?.Meaning == CallMeaning.DispatchesMessage);

    /// <summary>Whether the thread has called into the window system could not be seen.</summary>
    public static bool IsOpen(ThreadFacts thread)
        => !Dispatches(thread) && thread.Teb is { } teb && (teb.Gap ?? teb.Value.IsGuiThread?.Gap) is not null;

    /// <summary>The thread can own windows: it has called into the window system. False where nothing says so.</summary>
    public static bool CanOwnWindows(ThreadFacts thread)
        => Dispatches(thread)
            || (thread.Teb is { } teb && teb.TryGet(out TebFacts? block) && block.IsGuiThread is { } isGui && isGui.Is(isGuiThread => isGuiThread));
}
