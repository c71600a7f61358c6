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

    private const int BrokenPipe = 13;

    private const int SetChildSubreaper = 36;

    /// <summary>Grandchildren whose parent ends become children of this process, and not of the system's first one.</summary>
    public static void AdoptOrphans() => _ = ProcessControl(SetChildSubreaper, 1);

    /// <summary>
    /// A child does not inherit that this process ignores SIGPIPE, as every .NET process does: "yes | head -1" ends by it. What is
    /// caught has its default in a child (signal(7)), so it is caught here by a function of the system that does nothing.
    /// </summary>
    public static void LetPipesEndChildren()
    {
        if (NativeLibrary.TryLoad("libc", typeof(SystemCalls).Assembly, DllImportSearchPath.SafeDirectories, out nint library)
            && NativeLibrary.TryGetExport(library, "abs", out nint nothing))
        {
            _ = Handle(BrokenPipe, nothing);
        }
    }

    [LibraryImport("libc", EntryPoint = "signal")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Handle(int signal, nint handler);

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int Signal(int process, int signal);

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ProcessControl(int option, nuint argument);
}
