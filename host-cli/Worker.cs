using System.Runtime.InteropServices;

namespace HangTriage.Cli;

/// <summary>What a <see cref="Supervisor"/> tells the process that does the work.</summary>
internal static partial class Worker
{
    public const string Mark = "TRIAGE_WORKER";
    public const string WithoutRuntime = "TRIAGE_WITHOUT_RUNTIME";
    public const string PulsePipe = "TRIAGE_PULSE";

    private const int SetParentDeathSignal = 1;
    private const int SigKill = 9;

    public static bool IsThisProcess => Environment.GetEnvironmentVariable(Mark) == "1";

    /// <summary>Why the data of a .NET runtime is not to be read; null to read it.</summary>
    public static string? WhyWithoutRuntime
        => IsThisProcess && Environment.GetEnvironmentVariable(WithoutRuntime) is { Length: > 0 } why ? why : null;

    /// <summary>A worker does not outlive a supervisor that was killed, where the system can see to that.</summary>
    public static void EndWithSupervisor()
    {
        if (IsThisProcess && OperatingSystem.IsLinux())
        {
            _ = ProcessControl(SetParentDeathSignal, SigKill);
        }
    }

    [LibraryImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int ProcessControl(int option, nuint argument);
}
