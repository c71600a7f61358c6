using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The samples that wait for something outside the process. They know when they wait by the kernel of Linux alone.</summary>
public sealed class OutsideSampleTests
{
    [Theory]
    [InlineData("Linux/OutsideServer", 1, "\"rule\": \"HT8001\"", "PriceClient.Fetch")]
    [InlineData("Linux/ChildPipeFull", 1, "\"rule\": \"HT8001\"", "pipe that nobody reads")]
    [InlineData("Linux/OutsideIdle", 0, "\"kind\": \"NotHung\"", "")]
    public async Task A_sample_is_judged_as_its_page_says(string sample, int exitCode, string verdict, string title)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        DumpedProcess process = await CoreDumps.OfSampleAsync(sample, TargetFramework.Net10, DumpType.Full, TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run("analyze", process.CorePath, "--format", "json");

        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(verdict, run.Out, StringComparison.Ordinal);
        Assert.Contains(title, run.Out, StringComparison.Ordinal);
    }
}
