using HangTriage.Capture.Linux.Live;
using HangTriage.Capture.Live;
using HangTriage.Capture.Windows.Live;

namespace HangTriage.Capture.Targets;

/// <summary>The processes of this machine, whatever its system is. Nothing is stopped to list them.</summary>
public static class Processes
{
    /// <summary>Every process with memory of its own that this user may ask about; empty on systems whose processes are not read.</summary>
    public static IReadOnlyList<ProcessEntry> Read() => OperatingSystem.IsWindows() ? WindowsProcessTable.Read() : ProcessTable.Read();

    /// <summary>
    /// Those of a name: of the program, with or without .exe; on Linux also of the assembly that the .NET host runs, with or
    /// without .dll, and the kernel's.
    /// </summary>
    public static IReadOnlyList<ProcessEntry> Named(string name)
        =>
        [
            .. Read().Where(process => process.Id != Environment.ProcessId
                && (IsName(process.Name, name) || IsName(process.ShortName, name) || IsName(Path.GetFileNameWithoutExtension(process.Name), name))),
        ];

    private static bool IsName(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
}
