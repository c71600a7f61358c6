using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Cores that gdb writes: without the pages that the process only read from files, which are on this machine still.</summary>
public sealed class DebuggerCoreTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("MonitorDeadlock", TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData("MonitorDeadlock", TargetFramework.Net10)]
    [InlineData("TaskResultDeadlock", TargetFramework.Net8)]
    [InlineData("TaskResultDeadlock", TargetFramework.Net10, Traits = new[] { "Tier", "all" })]
    [InlineData("OrphanedMonitor", TargetFramework.Net10, Traits = new[] { "Tier", "all" })]
    [InlineData("Healthy", TargetFramework.Net10)]
    public async Task The_verdict_is_that_of_a_whole_core(string sample, TargetFramework framework)
    {
        string program = await ProgramAsync(sample, framework);
        await DebuggerCore.WriteAsync(program, _folder["core"], TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run(["analyze", _folder["core"], "--format", "json", .. DotNetPrograms.DacOptions(program)]);

        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of(sample), run));
        Assert.DoesNotContain("files of the process", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_signature_is_that_of_a_core_of_createdump()
    {
        string program = await ProgramAsync("MonitorDeadlock", TargetFramework.Net10);
        await DebuggerCore.WriteAsync(program, _folder["core"], TestContext.Current.CancellationToken);
        DumpedProcess whole = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full, TestContext.Current.CancellationToken);

        string? signature = ReportCheck.SignatureOf(Tool.Run("analyze", _folder["core"], "--format", "json"));

        Assert.NotNull(signature);
        Assert.Equal(ReportCheck.SignatureOf(Tool.Run("analyze", whole.CorePath, "--format", "json")), signature);
    }

    [Fact]
    public async Task An_assembly_that_was_replaced_lends_no_names()
    {
        string program = await ProgramAsync("MonitorDeadlock", TargetFramework.Net10);
        foreach (string part in new[] { string.Empty, ".dll", ".runtimeconfig.json", ".deps.json" })
        {
            File.Copy(program + part, _folder["MonitorDeadlock" + part]);
        }

        await DebuggerCore.WriteAsync(_folder["MonitorDeadlock"], _folder["core"], TestContext.Current.CancellationToken);
        byte[] replaced = new byte[new FileInfo(_folder["MonitorDeadlock.dll"]).Length];
        (await File.ReadAllBytesAsync(Path.Combine(Path.GetDirectoryName(program)!, "JoinCycle.dll"), TestContext.Current.CancellationToken)).CopyTo(replaced, 0);
        await File.WriteAllBytesAsync(_folder["MonitorDeadlock.dll"], replaced, TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run("analyze", _folder["core"]);

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("HT1001", run.Out, StringComparison.Ordinal);
        Assert.Contains("the same build of MonitorDeadlock.dll", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("JoinCycle.", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("MonitorDeadlock.Program", run.Out, StringComparison.Ordinal);
    }

    private static async Task<string> ProgramAsync(string sample, TargetFramework framework)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return DotNetPrograms.Find(sample, framework);
    }
}
