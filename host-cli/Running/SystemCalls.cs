using System.Runtime.InteropServices;

namespace HangTriage.Cli.Running;

/// <summary>The calls of Linux by which a tree of processes is followed and ended (prctl(2), kill(2)).</summary>
internal static partial class SystemCalls
{
    public const int Hangup = 1;
    public const int InterruptKey = 2;
    public const int Quit = 3;
    public const int Kill = 9;
    public const int Terminate = 15;

    private const int SetChildSubreaper = 36;

    /// <summary>Grandchildren whose parent ends become children of this process, and not of the system's first one.</summary>
    public static void AdoptOrphans() => _ = ProcessControl(SetChildSubreaper, 1);

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Signal(int process, int signal);

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ProcessControl(int option, nuint argument);
}
