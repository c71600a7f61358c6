using System.Diagnostics;
using System.Text.Json;
using HangTriage.Cli;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Where reports go, and that they are whole or not there.</summary>
public sealed class OutputTests
{
    [Theory]
    [InlineData("text", "== DEADLOCK")]
    [InlineData("markdown", "# Deadlock")]
    [InlineData("html", "<!doctype html>")]
    [InlineData("json", "{")]
    public void A_report_goes_to_standard_output_or_to_the_file_with_the_same_content(string format, string start)
    {
        using TemporaryFolder folder = new();
        InProcess tool = InProcess.WithVerdict(VerdictKind.Deadlock);
        string direct = tool.Run("analyze", "x", "--format", format).Out;
        ToolRun run = tool.Run("analyze", "x", "--format", format, "-o", folder["out"]);
        Assert.StartsWith(start, direct, StringComparison.Ordinal);
        Assert.Equal(Comparable(direct, format), Comparable(File.ReadAllText(folder["out"]), format));
        Assert.NotEqual(0xef, File.ReadAllBytes(folder["out"])[0]);
        Assert.Empty(run.Out);
        Assert.Equal($"triage: {folder["out"]}: Deadlock, The title of Deadlock\n", run.Error);
        Assert.Equal(["out"], folder.Names);
    }

    [Theory]
    [InlineData("out.json", null, "{")]
    [InlineData("out.md", null, "# Deadlock")]
    [InlineData("out.HTML", null, "<!doctype html>")]
    [InlineData("out.txt", null, "== DEADLOCK")]
    [InlineData("out", null, "== DEADLOCK")]
    [InlineData("out.json", "text", "== DEADLOCK")]
    public void The_name_of_the_file_chooses_the_format_where_the_option_does_not(string name, string? format, string start)
    {
        using TemporaryFolder folder = new();
        string[] option = format is null ? [] : ["--format", format];
        Assert.Equal(1, InProcess.WithVerdict(VerdictKind.Deadlock).Run(["analyze", "x", "-o", folder[name], .. option]).ExitCode);
        Assert.StartsWith(start, File.ReadAllText(folder[name]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_dash_is_standard_output()
    {
        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Idle());
        Assert.StartsWith("== NOT HUNG", Tool.Run(["analyze", input, "-o", "-"], folder.Folder).Out, StringComparison.Ordinal);
        Assert.StartsWith("# Not hung", Tool.Run(["report", input, "-o", "-"], folder.Folder).Out, StringComparison.Ordinal);
        Assert.Equal(File.ReadAllText(input), Tool.Run(["capture", input, "-o", "-"], folder.Folder).Out);
        Assert.Equal(["in.facts.json"], folder.Names);
    }

    [Fact]
    public void Quiet_means_that_standard_error_stays_empty()
    {
        using TemporaryFolder folder = new();
        Assert.Empty(InProcess.WithVerdict(VerdictKind.Deadlock).Run("analyze", "x", "-o", folder["out"], "--quiet").Error);
    }

    [Fact]
    public void An_older_report_is_replaced_whole()
    {
        using TemporaryFolder folder = new();
        folder.Write("out", new string('x', 1_000_000));
        InProcess.WithVerdict(VerdictKind.Deadlock).Run("analyze", "x", "-o", folder["out"]);
        Assert.DoesNotContain("xxx", File.ReadAllText(folder["out"]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_report_that_fails_half_way_leaves_the_old_file_and_nothing_else()
    {
        using TemporaryFolder folder = new();
        folder.Write("out", "old");
        OutputFile file = OutputFile.Plan(folder["out"], "x");
        Assert.Throws<OutputException>(() => file.Write(stream =>
        {
            stream.Write(new byte[100_000]);
            throw new IOException("disk full");
        }));
        Assert.Equal("old", File.ReadAllText(folder["out"]));
        Assert.Equal(["out"], folder.Names);
    }

    [Fact]
    public void The_input_is_not_replaced_through_a_link_either()
    {
        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Idle());
        File.CreateSymbolicLink(folder["link"], input);
        Assert.Equal(64, Tool.Run("capture", input, "-o", folder["link"]).ExitCode);
        Assert.Equal(64, Tool.Run("capture", folder["link"], "-o", input).ExitCode);
    }

    [Fact]
    public void A_device_is_written_and_not_replaced()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip.Because("/dev/null is a Unix device");
        }

        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Idle());
        Assert.Equal(0, Tool.Run("capture", input, "-o", "/dev/null").ExitCode);
        Assert.Equal(0, new FileInfo("/dev/null").Length);
        ToolRun run = Tool.Run("capture", input, "-o", "/dev/stdout", "--quiet");
        Assert.StartsWith("{", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void A_full_disk_is_73_and_one_line()
    {
        if (!File.Exists("/dev/full"))
        {
            Skip.Because("/dev/full is a Linux device");
        }

        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Idle());
        ToolRun run = Tool.Run("capture", input, "-o", "/dev/full");
        Assert.Equal(73, run.ExitCode);
        Assert.Matches(@"\Atriage: /dev/full: cannot write: [^\n]+\n\z", run.Error);
    }

    [Fact]
    public void Facts_that_are_captured_again_are_the_same()
    {
        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Deadlock());
        ToolRun run = Tool.Run("capture", input, "-o", folder["out.facts.json"]);
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(File.ReadAllText(input), File.ReadAllText(folder["out.facts.json"]));
        Assert.Empty(run.Out);
    }

    [Fact]
    public void Colour_is_only_for_terminals_and_never_in_a_file()
    {
        using TemporaryFolder folder = new();
        InProcess terminal = InProcess.WithVerdict(VerdictKind.Deadlock) with { Terminal = new Terminal(HasColour: true, HasProgress: false, 80) };
        Assert.Contains("\e[1;31m== DEADLOCK", terminal.Run("analyze", "x").Out, StringComparison.Ordinal);
        Assert.DoesNotContain("\e", terminal.Run("analyze", "x", "--format", "json").Out, StringComparison.Ordinal);
        terminal.Run("analyze", "x", "-o", folder["out"]);
        Assert.DoesNotContain("\e", File.ReadAllText(folder["out"]), StringComparison.Ordinal);
        Assert.DoesNotContain("\e", InProcess.WithVerdict(VerdictKind.Deadlock).Run("analyze", "x").Out, StringComparison.Ordinal);
    }

    [Fact]
    public void A_reader_that_goes_away_ends_the_tool_quietly()
    {
        using Process process = Tool.Start(["--help"], folder: null);
        process.StandardOutput.Close();
        string error = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromMinutes(1)));
        Assert.Empty(error);
        Assert.Equal(0, process.ExitCode);
    }

    /// <summary>Without what differs between two runs.</summary>
    private static string Comparable(string report, string format)
        => format == "json" ? JsonDocument.Parse(report).RootElement.GetProperty("verdict").GetRawText()
            : string.Join('\n', report.Split('\n').Where(line => !line.Contains("Time taken", StringComparison.Ordinal)));
}
