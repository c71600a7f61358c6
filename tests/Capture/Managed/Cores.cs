using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The cores that these tests read, made on first use.</summary>
internal static class Cores
{
    public static Task<DumpedProcess> SampleAsync(string sample, TargetFramework framework, DumpType type)
    {
        SkipElsewhere();
        return CoreDumps.OfSampleAsync(sample, framework, type, TestContext.Current.CancellationToken);
    }

    public static Task<DumpedProcess> LockWaitsAsync(TargetFramework framework) => TargetAsync("LockWaits", framework);

    /// <summary>A full core of one of tests/Targets.</summary>
    public static Task<DumpedProcess> TargetAsync(string target, TargetFramework framework, bool isOptimised = false)
    {
        SkipElsewhere();
        string project = Path.Combine(Repository.Root, "tests", "Targets", target);
        return CoreDumps.OfProjectAsync(project, framework, DumpType.Full, TestContext.Current.CancellationToken, isOptimised);
    }

    public static ProcessSnapshot Read(DumpedProcess process) => LinuxCoreCapture.Read(process.CorePath, ContextOf(process));

    public static ProcessSnapshot ReadDeep(DumpedProcess process)
        => LinuxCoreCapture.Read(process.CorePath, ContextOf(process) with { Deep = true });

    /// <summary>Names the runtime that the program brings: nothing is loaded from where a core says that it was.</summary>
    public static CaptureContext ContextOf(DumpedProcess process) => CaptureContext.Default with { Dac = process.RuntimeFolder };

    public static string TypeOf(this ManagedFacts facts, LockId id) => facts.Locks.Value.Single(found => found.Id == id).Name.Value;

    public static LockFacts LockOfType(this ManagedFacts facts, string type) => facts.Locks.Value.Single(found => found.Name.Is(name => name == type));

    private static void SkipElsewhere()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores of Linux processes are made on Linux only");
        }
    }
}
