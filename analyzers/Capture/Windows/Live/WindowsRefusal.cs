using System.Diagnostics;
using System.Runtime.InteropServices;

namespace HangTriage.Capture.Windows.Live;

/// <summary>Says in one line why a process cannot be looked at, and what to do.</summary>
internal static class WindowsRefusal
{
    private const int IdleProcess = 0;
    private const int SystemProcess = 4;

    /// <summary>Null where nothing is known to speak against it.</summary>
    public static string? Before(int process)
    {
        if (RuntimeInformation.ProcessArchitecture != Architecture.X64 || RuntimeInformation.OSArchitecture != Architecture.X64)
        {
            return "live processes are read on Windows with x64 processors, by the x64 triage, alone; take a dump and analyze that";
        }

        if (process == Environment.ProcessId)
        {
            return "that is triage itself, which cannot stop and read at the same time";
        }

        if (process is IdleProcess or SystemProcess)
        {
            return $"process {process} is Windows itself, with no memory of its own";
        }

        using OpenProcess? opened = Open(process, out int error);
        return opened is null ? Of(process, error) : Of(opened);
    }

    /// <summary>Opens it with every right that this user has.</summary>
    public static OpenProcess? Open(int process, out int error)
    {
        try
        {
            // Administrators may look into other users' processes once they say so.
            Process.EnterDebugMode();
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // This user may look into his own.
        }

        return OpenProcess.Of((uint)process, out error);
    }

    public static string Of(int process, int error) => error switch
    {
        WindowsCalls.InvalidParameter => Gone(process),
        WindowsCalls.AccessDenied => $"this user may not look into process {process} (access denied): run triage as the user that it runs as, or as administrator; one that Windows protects cannot be read by anybody",
        _ => $"process {process} cannot be opened (error {error})",
    };

    public static string? Of(OpenProcess process)
        => process.HasEnded ? $"process {process.Id} has ended"
            : process.Is32Bit ? $"process {process.Id} is a program of 32 bits; only those of 64 bits are read live. Take a dump of it with a 32-bit tool (procdump -ma {process.Id}) and analyze that"
            : null;

    /// <summary>It has ended while it was looked at.</summary>
    public static string Gone(int process) => $"there is no process {process}, or it has just ended";
}
