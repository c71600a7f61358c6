using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>What stands behind !triage.</summary>
public sealed class DebuggerExtensionOptionTests
{
    private static string Dump => WindowsLab.Dump("LoaderLockSpin", "0x1806");

    [Theory]
    [InlineData("-help")]
    [InlineData("--help")]
    [InlineData("-?")]
    public void Help_is_printed_succeeds_and_needs_no_DotNet(string option)
    {
        LabRun run = DebuggerExtension.RunWithoutDotNet(Dump, $"call: triage {option}");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("0:000> !triage", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-bogus", "unknown argument -bogus")]
    [InlineData("more", "unknown argument more")]
    [InlineData("-trace x.etl", "unknown argument -trace")]
    [InlineData("-json", "-json needs the name of a file")]
    [InlineData("-json -v", "-json needs the name of a file")]
    [InlineData("-md \"C:\\a b", "a quote is not closed")]
    [InlineData("-md a.md -md b.md", "-md is given twice")]
    [InlineData("-v -outofproc", "-v and -outofproc do not go together")]
    public void What_cannot_be_carried_out_fails_with_one_line_and_a_result_before_DotNet_is_started(string arguments, string line)
    {
        LabRun run = DebuggerExtension.RunWithoutDotNet(Dump, $"call: triage {arguments}");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains($"triage: {line}", run.Output, StringComparison.Ordinal);
        Assert.Contains("HRESULT 0x80070057", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Reports_are_written_to_files_whose_names_may_have_blanks()
    {
        using TemporaryFolder folder = new();
        string json = folder["a report.json"], markdown = folder["incident.md"];

        LabRun run = DebuggerExtension.Run(
            DebuggerExtension.DotNet10, Dump, $"call: triage -json \"{WindowsLab.WindowsPath(json)}\" -md {WindowsLab.WindowsPath(markdown)}");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("a report.json is written", run.Output, StringComparison.Ordinal);
        using JsonDocument report = JsonDocument.Parse(File.ReadAllText(json));
        Assert.Equal("SpinningOwner", report.RootElement.GetProperty("verdict").GetProperty("kind").GetString());
        Assert.StartsWith("# ", File.ReadAllText(markdown), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_cannot_be_written_is_one_line_and_a_result()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet10, Dump, "call: triage -json C:\\nowhere\\report.json");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Matches(@"triage: [^\n]*C:\\nowhere\\report\.json", run.Output);
        Assert.Contains("HRESULT 0x80070003", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void All_threads_have_their_stack_with_v()
    {
        string brief = DebuggerExtension.Run(DebuggerExtension.DotNet10, Dump, "!triage").Output;
        string verbose = DebuggerExtension.Run(DebuggerExtension.DotNet10, Dump, "!triage -v").Output;

        Assert.Equal(2, brief.Split("\nStack of ").Length - 1);
        Assert.Equal(5, verbose.Split("\nStack of ").Length - 1);
    }
}
