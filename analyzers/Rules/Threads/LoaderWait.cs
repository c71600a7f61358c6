using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>A thread that waits inside the Windows loader, and how that shows.</summary>
/// <param name="Thread">The thread that waits.</param>
/// <param name="IsOnLock">True where it waits for the loader-lock section; false where it waits for the load owner of the parallel loader.</param>
/// <param name="Trust">How that is known.</param>
/// <param name="Source">Where it was seen.</param>
/// <param name="Entry">The frame through which it entered the loader; null where only the environment block tells.</param>
internal sealed record LoaderWait(ThreadFacts Thread, bool IsOnLock, Trust Trust, string Source, FrameFacts? Entry)
{
    /// <summary>
    /// Recognises the wait by the environment block's WaitingOnLoaderLock, or by the stack: a wait on top, ntdll frames
    /// alone below it, down to an entry of the loader. Code of another module in between means that a DllMain waits, not the loader.
    /// </summary>
    public static LoaderWait? Of(ThreadFacts thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        bool waits = frames.Count > 0 && NativeCalls.StateOf(frames[0]) == ThreadActivity.WaitsForObject;
        FrameFacts? entry = waits ? EntryOf(frames) : null;

        if (thread.Teb is { } teb && teb.TryGet(out TebFacts? block) && block.WaitingOnLoaderLock.Is(waiting => waiting))
        {
            return new LoaderWait(thread, true, block.WaitingOnLoaderLock.Trust, "TEB.WaitingOnLoaderLock", entry);
        }

        if (entry is null)
        {
            return null;
        }

        bool isOnLock = frames.TakeWhile(frame => frame != entry).Any(NativeCalls.EntersLock);
        Trust trust = frames.TakeWhile(frame => frame != entry).Any(frame => frame.Trust == Trust.Scanned) ? Trust.Scanned : Trust.Derived;
        return new LoaderWait(thread, isOnLock, trust, "stack", entry);
    }

    private static FrameFacts? EntryOf(IReadOnlyList<FrameFacts> frames)
        => frames.TakeWhile(NativeCalls.IsNtdll).FirstOrDefault(NativeCalls.EntersLoader);
}
