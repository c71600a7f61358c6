using System.Text.RegularExpressions;
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
    [InlineData("analyze", "in.facts.json", "another", "--earlier", "in.facts.json")]
    [InlineData("analyze", "in.facts.json", "another", "--format", "html")]
    [InlineData("analyze", "in.facts.json", "another", "-o", "in.facts.json")]
    [InlineData("analyze", "in.facts.json", "-o", "-x")]
    [InlineData("analyze", "in.facts.json", "-o", "")]
    [InlineData("summary")]
    [InlineData("summary", "in.facts.json", "--format", "html")]
    [InlineData("summary", "in.facts.json", "-o", "out.html")]
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

    [Theory]
    [InlineData("analyze", "in.facts.json", "-o", ".")]
    [InlineData("analyze", "in.facts.json", "-o", "missing/out.txt")]
    [InlineData("analyze", "in.facts.json", "-o", "in.facts.json/out.txt")]
    [InlineData("capture", "in.facts.json", "-o", "missing/out.txt")]
    [InlineData("report", "in.facts.json", "-o", "/proc/out.md")]
    [InlineData("summary", "in.facts.json", "-o", "missing/out.md")]
    public void Where_nothing_can_be_written_is_73_with_one_line_before_anything_is_read(params string[] arguments)
    {
        using TemporaryFolder folder = new();
        folder.Write("in.facts.json", "this is no facts file: who reads it says 65");
        ToolRun run = Tool.Run(arguments, folder.Folder);
        Assert.Equal(73, run.ExitCode);
        Assert.Empty(run.Out);
        Assert.Matches(@"\Atriage: [^\n]+: cannot write: [^\n]+\n\z", run.Error);
    }

    [Theory]
    [InlineData("Did you mean analyze?", "analyse", "x.dmp")]
    [InlineData("Did you mean explain?", "explian", "HT1001")]
    [InlineData("Did you mean --format?", "analyze", "x.dmp", "--formt", "json")]
    [InlineData("Did you mean --hung?", "attach", "--hnug", "1")]
    [InlineData("Did you mean markdown?", "analyze", "x.dmp", "--format", "markdwon")]
    public void A_word_that_is_nearly_right_is_asked_for(string question, params string[] arguments)
    {
        ToolRun run = Tool.Run(arguments);
        Assert.Equal(64, run.ExitCode);
        Assert.Contains(question, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("triage ana", "analyze")]
    [InlineData("triage analyze --f", "--format")]
    [InlineData("triage analyze --format ", "html")]
    [InlineData("triage su", "summary")]
    public void A_shell_is_told_the_words_that_can_come_next(string typed, string word)
    {
        ToolRun run = Tool.Run($"[suggest:{typed.Length}]", typed);
        Assert.Equal(0, run.ExitCode);
        Assert.Contains(word, run.Out.Split('\n'));
    }

    [Fact]
    public void Without_arguments_the_help_is_shown_and_no_verdict_is_claimed()
    {
        ToolRun run = Tool.Run();
        Assert.Equal(64, run.ExitCode);
        Assert.Contains("Examples:\n  triage analyze app.dmp\n", run.Out, StringComparison.Ordinal);
    }

    /// <summary>They stand last, where a terminal shows them, and in the README.</summary>
    [Fact]
    public void Without_arguments_six_lines_say_which_command_fits_what_is_at_hand()
    {
        string[] lines = Tool.Run().Out.TrimEnd('\n').Split('\n')[^6..];

        string readme = File.ReadAllText(Path.Combine(Repository.Root, "README.md"));
        Assert.All(lines, line =>
        {
            Match match = Regex.Match(line, @"\AI have an? [^:]+: +run triage ([a-z]+) [^ ].*\z");
            Assert.Contains(match.Groups[1].Value, TriageRoot.CommandNames);
            Assert.Contains($"\n    {line}\n", readme, StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("-h")]
    [InlineData("analyze", "--help")]
    [InlineData("report", "--help")]
    [InlineData("capture", "--help")]
    [InlineData("summary", "--help")]
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
        Assert.All(new[] { "analyze", "report", "capture", "summary", "trace", "rules", "explain" }, command =>
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

    [Fact]
    public void In_a_clone_the_version_names_the_commit()
    {
        if (!Path.Exists(Path.Combine(Repository.Root, ".git")))
        {
            Skip.OnThisMachine("the sources are no clone");
        }

        Assert.Matches(@"\A\d+\.\d+\.\d+\S*\+[0-9a-f]{40}\n\z", Tool.Run("--version").Out);
    }
}
