using System.Runtime.InteropServices;

namespace CrossedLocks;

/// <summary>A critical section of Windows, as a native library has one.</summary>
internal static partial class Section
{
    private const int Size = 40;
    private const int LockCountAt = 8;

    private static readonly nint s_section = Marshal.AllocHGlobal(Size);

    static Section() => InitializeCriticalSection(s_section);

    /// <summary>Changes when a thread comes to wait.</summary>
    public static int LockCount => Marshal.ReadInt32(s_section, LockCountAt);

    public static void Enter() => EnterCriticalSection(s_section);

    [LibraryImport("kernel32")]
    private static partial void InitializeCriticalSection(nint section);

    [LibraryImport("kernel32")]
    private static partial void EnterCriticalSection(nint section);
}
