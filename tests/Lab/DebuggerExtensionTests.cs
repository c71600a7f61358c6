using HangTriage.Capture;
using HangTriage.Rules;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>!triage in the real debugger engine.</summary>
public sealed class DebuggerExtensionTests
{
    private const string Full = "0x1806";
    private const string Sample = "LoaderLockSpin";

    [Theory]
    [InlineData(DebuggerExtension.DotNet8)]
    [InlineData(DebuggerExtension.DotNet10)]
    public void The_verdict_on_a_dump_is_that_of_the_command_line(string dotnet)
    {
        string dump = WindowsLab.Dump(Sample, Full);
        Verdict expected = Triage.Judge(TargetFile.Capture(dump, CaptureContext.Default)).Verdict;

        LabRun run = DebuggerExtension.Run(dotnet, dump, "!triage");

        string output = Unwrapped(run.Output);
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("== SPINNING OWNER, likely", output, StringComparison.Ordinal);
        Assert.Contains(expected.Signature, output, StringComparison.Ordinal);
        Assert.Contains($"Culprit {WithoutName(expected.Culprit!.Label)}", output, StringComparison.Ordinal);
        Assert.Contains($"{WithoutName(expected.Victims[0].Label)}: {expected.Victims[0].Role}", output, StringComparison.Ordinal);
        Assert.Contains(expected.Culprit.Role!, output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_live_process_is_judged_with_the_same_culprit_as_its_dump()
    {
        LabRun run = DebuggerExtension.RunLive(DebuggerExtension.DotNet8, Sample, "!triage");

        // The instant of a live look is not chosen: now and then it falls between two yields, where the owner computes.
        Assert.Matches("== (SPINNING OWNER, likely|BUSY OWNER)", run.Output);
        Assert.Contains("spin!spin_until_released", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_calls_and_a_reload_give_the_same_verdict_each_time()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "!triage", "!triage", ".unload", DebuggerExtension.Load, "!triage");

        Assert.Equal(3, run.Output.Split("== SPINNING OWNER, likely").Length - 1);
    }

    [Fact]
    public void Help_is_printed_and_succeeds()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "call: triage -help");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("0:000> !triage", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void An_unknown_argument_fails_with_one_line_and_a_result()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "call: triage -bogus");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains("triage: unknown argument -bogus", run.Output, StringComparison.Ordinal);
        Assert.Contains("HRESULT 0x80070057", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_DotNet_one_line_says_what_to_install()
    {
        LabRun run = DebuggerExtension.RunWithoutDotNet(WindowsLab.Dump(Sample, Full), "call: triage");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains(".NET 8 or later", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_users_current_thread_is_left_as_it_was()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "~2s", "!triage", "~.");

        Assert.Contains(".  2  Id:", run.Output, StringComparison.Ordinal);
    }

    private static string Unwrapped(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    // The engine hands out no thread names.
    private static string WithoutName(string label) => label.Split(" \"")[0];
}
