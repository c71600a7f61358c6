using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

public sealed class RulePagesTests
{
    [Fact]
    public void Explain_shows_the_page_of_every_rule_whatever_the_case_of_its_id()
    {
        string folder = Path.Combine(Repository.Root, "docs", "rules");
        Assert.All(Directory.Exists(folder) ? Directory.GetFiles(folder, "HT*.md") : [], page =>
        {
            ToolRun run = new InProcess().Run("explain", Path.GetFileNameWithoutExtension(page).ToLowerInvariant());
            Assert.Equal(0, run.ExitCode);
            Assert.Equal(File.ReadAllText(page).Split("\n## Examples\n")[0].TrimEnd() + "\n", run.Out);
            Assert.DoesNotContain("```facts", run.Out, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Every_rule_is_listed_and_can_be_explained()
    {
        string list = new InProcess().Run("rules").Out;
        Assert.All(HangTriage.Cli.Catalogue.Rules, rule =>
        {
            Assert.Contains($"{rule.Id}  {rule.Name}", list, StringComparison.Ordinal);
            Assert.Equal(0, new InProcess().Run("explain", rule.Id).ExitCode);
        });
    }
}
