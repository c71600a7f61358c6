using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>.NET samples, hung for real, written as a core, judged by the real tool. tests/Matrix judges all but those of Linux alone.</summary>
public sealed class ManagedSampleTests
{
    [Theory]
    [InlineData("MonitorDeadlock")]
    [InlineData("Healthy")]
    [InlineData("Linux/OutsideServer")]
    [InlineData("Linux/OutsideIdle")]
    [InlineData("Linux/ChildPipeFull")]
    [InlineData("Linux/PthreadCycle")]
    [InlineData("Linux/PthreadTurns")]
    public async Task The_core_of_a_sample_and_its_facts_are_judged_as_it_expects(string sample)
    {
        string core = await CoreOf(sample, DumpType.Full);
        using TemporaryFolder folder = new();

        ToolRun fromCore = Tool.Run("analyze", core, "--format", "json");
        ToolRun capture = Tool.Run("capture", core, "-o", folder["sample.facts.json"]);
        ToolRun fromFacts = Tool.Run("analyze", folder["sample.facts.json"], "--format", "json");

        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of(sample), fromCore));
        Assert.Equal(0, capture.ExitCode);
        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of(sample), fromFacts));
    }

    [Fact]
    public async Task A_mini_core_of_a_deadlock_is_inconclusive_and_says_why()
    {
        string core = await CoreOf("MonitorDeadlock", DumpType.Normal);

        ToolRun run = Tool.Run("analyze", core);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains("INCONCLUSIVE", run.Out, StringComparison.Ordinal);
        Assert.Contains("the heap is not in the input", run.Out.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    private static async Task<string> CoreOf(string sample, DumpType type)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        DumpedProcess dumped = await CoreDumps.OfSampleAsync(sample, TargetFramework.Net10, type, TestContext.Current.CancellationToken);
        return dumped.CorePath;
    }
}
