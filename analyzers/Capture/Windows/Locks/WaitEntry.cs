using System.Collections.Frozen;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>Finds the function of ntdll through which a waiting thread asked for a lock, by the names of its frames.</summary>
/// <param name="Frame">Its place in the stack, the innermost frame being 0.</param>
/// <param name="Kind">The kind of lock.</param>
/// <param name="Method">Its name.</param>
internal readonly record struct WaitEntry(int Frame, LockKind Kind, string Method)
{
    private const int LongestWait = 16;

    private static readonly FrozenSet<string> s_waits = new[]
    {
        "NtWaitForAlertByThreadId", "NtWaitForSingleObject", "NtWaitForMultipleObjects", "NtWaitForKeyedEvent",
    }.ToFrozenSet(StringComparer.Ordinal);

    // RtlpWaitForCriticalSection is exported by Wine; Windows names its inner functions in symbols alone.
    private static readonly FrozenDictionary<string, LockKind> s_entries = new Dictionary<string, LockKind>
    {
        ["RtlEnterCriticalSection"] = LockKind.CriticalSection,
        ["RtlpEnterCriticalSectionContended"] = LockKind.CriticalSection,
        ["RtlpWaitOnCriticalSection"] = LockKind.CriticalSection,
        ["RtlpWaitForCriticalSection"] = LockKind.CriticalSection,
        ["RtlAcquireSRWLockExclusive"] = LockKind.SrwLock,
        ["RtlAcquireSRWLockShared"] = LockKind.SrwLock,
        ["RtlpAcquireSRWLockExclusiveContended"] = LockKind.SrwLock,
        ["RtlpAcquireSRWLockSharedContended"] = LockKind.SrwLock,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>Null where the thread is in no such wait, or where nothing names its frames.</summary>
    public static WaitEntry? Find(IReadOnlyList<FrameFacts> frames)
    {
        if (frames.Count == 0 || !IsWait(frames[0]))
        {
            return null;
        }

        WaitEntry? found = null;
        for (int i = 1; i < Math.Min(frames.Count, LongestWait) && IsNtdll(frames[i]); i++)
        {
            bool isEntry = frames[i].Method is { } method && s_entries.TryGetValue(method, out _);
            if (isEntry)
            {
                found = new WaitEntry(i, s_entries[frames[i].Method!], frames[i].Method!);
            }
            else if (found is not null)
            {
                break; // what called the lock function; it may be ntdll's own
            }
        }

        return found;
    }

    public static bool IsNtdll(FrameFacts frame) => string.Equals(frame.Module, "ntdll.dll", StringComparison.OrdinalIgnoreCase);

    private static bool IsWait(FrameFacts frame) => IsNtdll(frame) && frame.Method is { } method && s_waits.Contains(method);
}
