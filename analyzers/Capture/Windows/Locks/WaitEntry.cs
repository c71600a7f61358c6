using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Finds the function of ntdll through which a waiting thread asked for a lock, by the names of its frames.</summary>
/// <param name="Frame">Its place in the stack, the innermost frame being 0.</param>
/// <param name="Kind">The kind of lock.</param>
/// <param name="Method">Its name.</param>
internal readonly record struct WaitEntry(int Frame, LockKind Kind, string Method)
{
    private const int LongestWait = Thresholds.FramesOfNativeLock;

    /// <summary>Null where the thread is in no such wait, or where nothing names its frames.</summary>
    public static WaitEntry? Find(IReadOnlyList<FrameFacts> frames)
    {
        if (frames.Count == 0 || !IsWait(frames[0]))
        {
            return null;
        }

        WaitEntry? found = null;
        for (int i = 1; i < Math.Min(frames.Count, LongestWait) && WindowsModules.IsNtdll(frames[i]); i++)
        {
            if (LockCalls.Find(frames[i]) is { Lock: { } kind } entry)
            {
                found = new WaitEntry(i, kind, entry.Name);
            }
            else if (found is not null)
            {
                break; // what called the lock function; it may be ntdll's own
            }
        }

        return found;
    }

    private static bool IsWait(FrameFacts frame)
        => WindowsModules.IsNtdll(frame) && WindowsCalls.Find(frame.Method)?.Meaning == CallMeaning.WaitsForObject;
}
