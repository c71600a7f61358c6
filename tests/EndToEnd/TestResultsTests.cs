using System.IO.Compression;
using System.Text.Json;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Several inputs, and folders that test runners leave. The format of a capture is detected from its content, so facts stand in for dumps.</summary>
public sealed class TestResultsTests : IDisposable
{
    private const string Run = "results/0a1b/";

    private readonly TemporaryFolder _folder = new();

    public TestResultsTests() => Directory.CreateDirectory(_folder[Run]);

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(0, "healthy", "healthy")]
    [InlineData(2, "healthy", "unknown")]
    [InlineData(65, "unknown", "garbage", "healthy")]
    [InlineData(65, "healthy", "missing")]
    [InlineData(1, "garbage", "deadlock", "unknown")]
    public void Several_inputs_give_the_gravest_exit_code_and_each_gets_its_report(int expected, params string[] inputs)
    {
        _folder.Write("healthy", SmallFacts.Idle());
        _folder.Write("unknown", SmallFacts.Nothing());
        _folder.Write("deadlock", SmallFacts.Deadlock());
        File.WriteAllText(_folder["garbage"], "garbage");

        ToolRun run = Tool.Run(["analyze", .. inputs], _folder.Folder);

        Assert.Equal(expected, run.ExitCode);
        Assert.Equal(inputs, run.Out.Split('\n').Where(line => line.StartsWith("File: ", StringComparison.Ordinal)).Select(line => line["File: ".Length..]));
        Assert.Equal(inputs.Count(input => input is "garbage" or "missing"), run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Fact]
    public void A_dump_of_a_time_limit_is_judged_as_hung_and_its_report_names_the_tests_that_had_not_ended()
    {
        string dump = _folder.Write(Run + "dotnet_2141_20261123T045725_hangdump.dmp", SmallFacts.Idle());
        WriteSequence(Row("Shop.OrderTests.Adds", "True"), Row("Shop.OrderTests.Posts", "False"), Row("Shop.OrderTests.Reply(id: 7)", "false"));

        ToolRun one = Tool.Run(["analyze", dump, "--format", "json"], _folder.Folder);
        ToolRun all = Tool.Run(["analyze", "results"], _folder.Folder);

        Assert.Equal(["Shop.OrderTests.Posts", "Shop.OrderTests.Reply"], TestsOf(one.Out));
        Assert.Equal(one.ExitCode, all.ExitCode);
        Assert.NotEqual(0, all.ExitCode);
        Assert.StartsWith("2 tests had started and had not ended:\n  Shop.OrderTests.Posts\n  Shop.OrderTests.Reply\n\nFile: ", all.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("id: 7", all.Out, StringComparison.Ordinal);
        Assert.Equal(0, Tool.Run("analyze", _folder.Write("same.facts.json", SmallFacts.Idle())).ExitCode);
    }

    [Fact]
    public void The_list_beside_a_dump_of_the_testing_platform_is_read()
    {
        string dump = _folder.Write(Run + "Shop.Tests_77_hang.dmp", SmallFacts.Idle());
        File.WriteAllText(_folder[Run + "Shop.Tests_77_hang.log"], "[00:00:05.123] Shop.OrderTests.Posts\nnonsense\n[00:00:09.001] Shop.OrderTests.Reply(id: 7)\n");

        Assert.Equal(["Shop.OrderTests.Posts", "Shop.OrderTests.Reply"], TestsOf(Tool.Run("analyze", dump, "--format", "json").Out));
    }

    [Fact]
    public void Reports_of_a_folder_in_JSON_are_what_summary_reads()
    {
        _folder.Write(Run + "a.facts.json", SmallFacts.Deadlock());
        _folder.Write("results/core.12", SmallFacts.Deadlock());
        File.WriteAllText(_folder["results/notes.txt"], "not a capture");

        ToolRun run = Tool.Run(["analyze", "results", "--format", "json", "-o", "all.json"], _folder.Folder);
        ToolRun summary = Tool.Run(["summary", "all.json", "--format", "json"], _folder.Folder);

        Assert.Equal((1, string.Empty), (run.ExitCode, run.Out));
        using JsonDocument groups = JsonDocument.Parse(summary.Out);
        Assert.Equal(2, groups.RootElement.GetProperty("reports").GetInt32());
    }

    [Fact]
    public void A_folder_of_packed_captures_is_read()
    {
        string[] names = ["core.orders.1000.27ae53.812.1790000000000000.gz", "core.12.gz", "a.facts.json.gz", "notes.gz", "core.txt.gz"];
        foreach (string name in names)
        {
            using GZipStream packed = new(File.Create(_folder["results/" + name]), CompressionLevel.Fastest);
            FactsFile.Write(Case.Of(SmallFacts.Idle()), packed);
        }

        ToolRun run = Tool.Run(["analyze", "results"], _folder.Folder);

        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.Equal(3, run.Out.Split('\n').Count(line => line.StartsWith("File: ", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("<!DOCTYPE TestSequence [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><TestSequence><Test Name=\"&b;\" Completed=\"False\" /></TestSequence>", 0)]
    [InlineData("<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><TestSequence><Test Name=\"A.B\" Completed=\"False\" /></TestSequence>", 0)]
    [InlineData("<TestSequence><Test Name=\"A.B\" Completed=\"False\" /><Test Name=\"A.C\" Comp", 1)]
    [InlineData("<TestSequence><Test Name=\"\" Completed=\"False\" /><Test Completed=\"False\" /><Test Name=\"A.B\" Completed=\"maybe\" /></TestSequence>", 0)]
    [InlineData("<TestSequence><Test Name=\"A.B\" /><Test Name=\"A.C\" /></TestSequence>", 1)]
    [InlineData("", 0)]
    public void A_record_that_is_hostile_damaged_or_old_is_read_as_far_as_it_makes_sense(string sequence, int tests)
    {
        string dump = _folder.Write(Run + "a_1_hangdump.dmp", SmallFacts.Idle());
        File.WriteAllText(_folder[Run + "Sequence_0.xml"], sequence);

        ToolRun run = Tool.Run("analyze", dump, "--format", "json");

        Assert.Empty(run.Error);
        Assert.Equal(tests, TestsOf(run.Out).Count);
    }

    [Fact]
    public void A_folder_without_a_capture_is_65_and_the_line_names_the_tests_that_its_records_have()
    {
        WriteSequence(Row("Shop.OrderTests.Posts", "False"));

        ToolRun run = Tool.Run(["analyze", "results"], _folder.Folder);

        Assert.Equal((65, string.Empty), (run.ExitCode, run.Out));
        Assert.Equal("triage: results: there is no dump in this folder; its records say that a test had not ended: Shop.OrderTests.Posts\n", run.Error);
    }

    private static IReadOnlyList<string?> TestsOf(string report)
    {
        using JsonDocument document = JsonDocument.Parse(report);
        return document.RootElement.TryGetProperty("tests", out JsonElement tests) ? [.. tests.EnumerateArray().Select(test => test.GetProperty("name").GetString())] : [];
    }

    private static string Row(string name, string completed) => $"<Test Name=\"{name}\" DisplayName=\"x\" Source=\"/build/Shop.dll\" Completed=\"{completed}\" />";

    private void WriteSequence(params string[] rows)
        => File.WriteAllText(_folder[Run + "Sequence_3ca9d55643b7408fa7756e91b526716a.xml"], $"<?xml version=\"1.0\"?><TestSequence>{string.Concat(rows)}</TestSequence>");
}
