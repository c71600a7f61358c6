using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>A library that reads a runtime's data is native code, and can end the process that loads it.</summary>
public sealed class CrashTests
{
    [Theory]
    [InlineData("analyze", "--format", "json")]
    [InlineData("capture", "-o", "facts.json")]
    public async Task A_crash_of_the_runtimes_library_costs_the_managed_half_alone(params string[] command)
    {
        using TemporaryFolder folder = new();
        string library = CrashingLibrary(folder);
        DumpedProcess process = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap, TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run([command[0], process.CorePath, "--dac", library, .. command[1..]], folder.Folder);

        Assert.Contains("crashed on this input (signal ", run.Error, StringComparison.Ordinal);
        string result = command[0] == "analyze" ? run.Out : await File.ReadAllTextAsync(folder["facts.json"], TestContext.Current.CancellationToken);
        Assert.Contains("crashed on this input (signal ", result, StringComparison.Ordinal);
        Assert.Contains("\"threads\"", result, StringComparison.Ordinal);
        Assert.Equal(command[0] == "analyze" ? 2 : 0, run.ExitCode);
    }

    private static string CrashingLibrary(TemporaryFolder folder)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("the library is made by cc");
        }

        File.WriteAllText(folder["crash.c"], "__attribute__((constructor)) static void crash(void) { *(volatile int *)16 = 0; }\n");
        using Process compiler = Process.Start("cc", ["-shared", "-fPIC", "-o", folder["crash.so"], folder["crash.c"]]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
        return folder["crash.so"];
    }
}
