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

    /// <summary>Beside the runtime of the core: a library of another build is not loaded, whoever names it.</summary>
    private static string CrashingLibrary(TemporaryFolder folder)
    {
        CompiledLibrary.Write(folder["crash.so"], "*(volatile int *)16 = 0;");
        File.Copy(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "libcoreclr.so"), folder["libcoreclr.so"]);
        return folder["crash.so"];
    }
}
