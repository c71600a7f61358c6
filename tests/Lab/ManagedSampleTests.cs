using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>Windows dumps of .NET programs, judged on Linux, where their managed state is not read.</summary>
public sealed class ManagedSampleTests
{
    [Fact]
    public void A_deadlock_of_monitors_is_inconclusive_and_what_is_missing_is_said()
    {
        ToolRun run = Tool.Run("analyze", WindowsLab.Dump("MonitorDeadlock", "0x1806"));

        Assert.Equal(2, run.ExitCode);
        Assert.Contains("== INCONCLUSIVE", run.Out, StringComparison.Ordinal);
        Assert.Contains("managed state: managed state of a Windows dump is not read", run.Out, StringComparison.Ordinal);
    }
}
