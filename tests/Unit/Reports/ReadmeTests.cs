using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>What the README shows is what the tool says.</summary>
public sealed class ReadmeTests
{
    private static readonly string[] s_readme = File.ReadAllLines(Path.Combine(Repository.Root, "README.md"));

    /// <summary>Of the report, the beginning.</summary>
    [Fact]
    public void It_opens_with_a_real_report()
    {
        string[] shown = [.. s_readme.SkipWhile(line => line != "```text").Skip(1).TakeWhile(line => line != "```")];

        Assert.InRange(shown.Length, 10, 20);
        Assert.Equal(StoredSamples.Text("PoolStarvation").Split('\n')[..shown.Length], shown);
    }

    /// <summary>Whoever reads no further: it judges what comes with the project, and tests itself.</summary>
    [Fact]
    public void Its_first_two_commands_judge_a_dump_of_the_project_and_run_the_tests()
    {
        IEnumerable<string> commands = s_readme
            .SkipWhile(line => line != "```")
            .Where(line => line.StartsWith("    ", StringComparison.Ordinal))
            .Take(2)
            .Select(line => line.Trim());

        Assert.Equal(["dotnet run --project host-cli -- analyze samples/LoaderLockSpin/hang.dmp.gz", "./test.sh"], commands);
        Assert.True(File.Exists(Repository.Sample("LoaderLockSpin", "hang.dmp.gz")));
    }
}
