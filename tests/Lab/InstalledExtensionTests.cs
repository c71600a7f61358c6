using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>The published tool on (the lab's) Windows, and the extension that it carries.</summary>
public sealed partial class InstalledExtensionTests
{
    private const string Sample = "MonitorDeadlock";

    [Fact]
    public void What_install_puts_there_is_the_whole_extension_and_uninstall_leaves_nothing()
    {
        string dump = CommandLineReports.Dump(Sample);
        ToolRun installed = WindowsLab.Triage("install", "windbg");
        string answer;
        ToolRun removed;
        try
        {
            Assert.True(installed.ExitCode == 0, installed.ToString());
            answer = DebuggerExtension.Engine("--dotnet", DebuggerExtension.DotNet8, dump, LoadCommand().Match(installed.Out).Value, "call: triage").Output;
        }
        finally
        {
            removed = WindowsLab.Triage("uninstall", "windbg");
        }

        Assert.Contains("== DEADLOCK, certain", answer, StringComparison.Ordinal);
        Assert.DoesNotContain("HRESULT", answer, StringComparison.Ordinal);
        Assert.Matches(@"^\d\d+ files taken away", removed.Out);
        string users = Path.Combine(WindowsLab.Folder, "prefix", "drive_c", "users");
        Assert.Empty(Directory.GetDirectories(users, "HangTriage", SearchOption.AllDirectories));
    }

    [Fact]
    public void Outofproc_brings_back_what_the_tool_says_and_leaves_the_place_for_DotNet_to_SOS()
    {
        using TemporaryFolder folder = new();
        string json = folder["report.json"];
        string tool = Path.Combine(WindowsLab.Folder, "triage");
        JsonNode expected = CommandLineReports.Of(Sample)["verdict"]!;

        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            ["--path", tool, "--dotnet", DebuggerExtension.DotNet10, "--sos", DebuggerExtension.DotNet10, CommandLineReports.Dump(Sample)],
            $"call: triage -outofproc -json {WindowsLab.WindowsPath(json)}",
            DebuggerExtension.LoadSos,
            "!sos.ext");

        Assert.Contains("== DEADLOCK, certain", answers[0], StringComparison.Ordinal);
        Assert.DoesNotContain("HRESULT", answers[0], StringComparison.Ordinal);
        Assert.Equal(expected.ToJsonString(), JsonNode.Parse(File.ReadAllText(json))!["verdict"]!.ToJsonString());
        Assert.Contains("sos: .NET runs", answers[2], StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\.load \S+\\HangTriage\\\S+\\triage\.dll")]
    private static partial Regex LoadCommand();
}
