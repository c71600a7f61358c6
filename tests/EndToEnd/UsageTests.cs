using HangTriage.Cli;
using HangTriage.Cli.Commands;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool, started wrongly: one line on standard error, nothing on standard output, never 0, 1 or 2.</summary>
public sealed class UsageTests
{
    [Fact]
    public void Every_command_is_told_from_a_target()
        => Assert.Equal(new TriageRoot(new Host { Out = TextWriter.Null, Error = TextWriter.Null }).Subcommands.Select(command => command.Name).Order(), TriageRoot.CommandNames.Order());

    [Theory]
    [InlineData("bogus")]
    [InlineData("analyze")]
    [InlineData("analyze", "")]
    [InlineData("analyze", "-x")]
    [InlineData("analyze", "--formt", "json")]
    [InlineData("analyze", "in.facts.json", "--format", "xml")]
    [InlineData("analyze", "in.facts.json", "--format", "JSON")]
    [InlineData("analyze", "in.facts.json", "--format")]
    [InlineData("analyze", "in.facts.json", "another")]
    [InlineData("analyze", "in.facts.json", "-o", "-x")]
    [InlineData("analyze", "in.facts.json", "-o", "")]
    [InlineData("analyze", "in.facts.json", "-o", ".")]
    [InlineData("analyze", "in.facts.json", "-o", "missing/out.txt")]
    [InlineData("analyze", "in.facts.json", "-o", "in.facts.json")]
    [InlineData("analyze", "in.facts.json", "-o", "./sub/../in.facts.json")]
    [InlineData("analyze", "in.facts.json", "-o", "a", "-o", "b")]
    [InlineData("report", "in.facts.json")]
    [InlineData("capture", "in.facts.json")]
    [InlineData("trace")]
    [InlineData("trace", "in.facts.json", "--pid", "x")]
    [InlineData("trace", "in.facts.json", "--pid", "1", "--process", "a")]
    [InlineData("trace", "in.facts.json", "-o", "in.facts.json")]
    [InlineData("rules", "all")]
    [InlineData("explain")]
    [InlineData("explain", "HT0000")]
    [InlineData("[diagram]", "analyze", "in.facts.json")]
    [InlineData("--version", "analyze")]
    public void A_wrong_command_line_is_64_with_one_line(params string[] arguments)
    {
        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", SmallFacts.Idle());
        byte[] before = File.ReadAllBytes(input);
        ToolRun run = Tool.Run(arguments, folder.Folder);
        Assert.Equal(64, run.ExitCode);
        Assert.Empty(run.Out);
        Assert.Matches(@"\Atriage: [^\n]+\n\z", run.Error);
        Assert.Equal(["in.facts.json"], folder.Names);
        Assert.Equal(before, File.ReadAllBytes(input));
    }

    [Fact]
    public void Without_arguments_the_help_is_shown_and_no_verdict_is_claimed()
    {
        ToolRun run = Tool.Run();
        Assert.Equal(64, run.ExitCode);
        Assert.Contains("Examples:\n  triage analyze app.dmp\n", run.Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("-h")]
    [InlineData("analyze", "--help")]
    [InlineData("report", "--help")]
    [InlineData("capture", "--help")]
    [InlineData("trace", "--help")]
    [InlineData("rules", "--help")]
    [InlineData("explain", "--help")]
    [InlineData("analyze", "--format", "xml", "--help")]
    public void Every_help_shows_an_example_and_gives_0(params string[] arguments)
    {
        ToolRun run = Tool.Run(arguments);
        string command = arguments.Length > 1 ? $"triage {arguments[0]}" : "triage ";
        Assert.Equal(0, run.ExitCode);
        Assert.Contains($"Examples:\n  {command}", run.Out, StringComparison.Ordinal);
        Assert.Empty(run.Error);
    }

    [Fact]
    public void The_help_of_the_tool_has_an_example_of_every_command()
    {
        string help = Tool.Run("--help").Out;
        string examples = help[help.IndexOf("Examples:", StringComparison.Ordinal)..];
        Assert.All(new[] { "analyze", "report", "capture", "trace", "rules", "explain" }, command =>
        {
            Assert.Contains($"  triage {command}", examples, StringComparison.Ordinal);
            Assert.Contains($"\n  {command}", help, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void The_version_is_a_version()
    {
        ToolRun run = Tool.Run("--version");
        Assert.Equal(0, run.ExitCode);
        Assert.Matches(@"\A\d+\.\d+\.\d+\S*\n\z", run.Out);
    }
}
