using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool on input that it cannot read: 65, and one line that names the file.</summary>
public sealed class InputTests
{
    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"schema\": 99}")]
    [InlineData("not json")]
    [InlineData("\u007fELF")]
    [InlineData("MDMP")]
    public void A_file_that_is_no_target_is_65_whatever_its_name_says(string content)
    {
        using TemporaryFolder folder = new();
        foreach (string name in new[] { "x.facts.json", "x.dmp", "x" })
        {
            folder.Write(name, content);
            foreach (string[] command in new string[][] { ["analyze", name], ["capture", name, "-o", "out"], ["report", name, "-o", "out"] })
            {
                AssertUnreadable(Tool.Run(command, folder.Folder), name);
                Assert.DoesNotContain("out", folder.Names);
            }

            File.Delete(folder[name]);
        }
    }

    [Theory]
    [InlineData("missing.dmp")]
    [InlineData("missing/folder.dmp")]
    [InlineData("folder")]
    [InlineData("@missing")]
    public void A_file_that_is_not_there_is_65(string name)
    {
        using TemporaryFolder folder = new();
        Directory.CreateDirectory(folder["folder"]);
        AssertUnreadable(Tool.Run(["analyze", name], folder.Folder), name);
    }

    [Fact]
    public void After_two_dashes_a_name_may_start_with_a_dash()
    {
        using TemporaryFolder folder = new();
        AssertUnreadable(Tool.Run(["analyze", "--", "-x"], folder.Folder), "-x");
        folder.Write("-x", SmallFacts.Idle());
        Assert.Equal(0, Tool.Run(["capture", "-o", "out", "--", "-x"], folder.Folder).ExitCode);
    }

    private static void AssertUnreadable(ToolRun run, string name)
    {
        Assert.True(run.ExitCode == 65, run.ToString());
        Assert.Empty(run.Out);
        Assert.Matches(@"\Atriage: [^\n]+\n\z", run.Error);
        Assert.StartsWith($"triage: {name}: ", run.Error, StringComparison.Ordinal);
    }
}
