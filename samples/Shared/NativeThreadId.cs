using System.Runtime.InteropServices;

namespace Samples;

/// <summary>The id that the operating system gives the calling thread.</summary>
internal static partial class NativeThreadId
{
    public static uint Current => OperatingSystem.IsWindows() ? GetCurrentThreadId() : (uint)GetTid();

    [LibraryImport("kernel32")]
    private static partial uint GetCurrentThreadId();

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetTid();
}
