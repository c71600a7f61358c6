using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>
/// A library that reads a runtime's data can loop forever on a damaged core: .NET 10's did where 8 kB of its own tables were
/// zeros, in the middle of a stack.
/// </summary>
public sealed class StuckTests
{
    [Theory]
    [InlineData("for (;;) pause();")]
    [InlineData("for (volatile int i = 0; ; i++) { }")]
    public async Task A_library_that_never_returns_is_ended_and_costs_the_managed_half_alone(string loop)
    {
        using TemporaryFolder folder = new();
        CompiledLibrary.Write(folder["stuck.so"], $"FILE *file = fopen(\"{folder["pid"]}\", \"w\"); fprintf(file, \"%d\", getpid()); fclose(file); {loop}");
        File.Copy(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "libcoreclr.so"), folder["libcoreclr.so"]);
        DumpedProcess process = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap, TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run(["analyze", process.CorePath, "--dac", folder["stuck.so"], "--format", "json"], folder.Folder, ("TRIAGE_WORKER_SECONDS", "5"));

        Assert.Equal(
            "triage: the reading of the .NET runtime's data made no progress for 5 s on this input; once more without it\n", run.Error);
        Assert.Contains("made no progress for 5 s on this input", run.Out, StringComparison.Ordinal);
        Assert.Contains("\"threads\"", run.Out, StringComparison.Ordinal);
        Assert.Equal(2, run.ExitCode);
        int worker = int.Parse(await File.ReadAllTextAsync(folder["pid"], TestContext.Current.CancellationToken), CultureInfo.InvariantCulture);
        Assert.False(Directory.Exists($"/proc/{worker}"));
    }
}
