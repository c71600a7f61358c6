using System.Diagnostics;
using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Real test projects that hang, under every framework and runner: the verdict names the test, with file and line.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
public sealed class HungTestTests
{
    // What global.json says where "dotnet test" of the .NET 10 SDK runs programs of Microsoft.Testing.Platform.
    private const string Platform = """{ "test": { "runner": "Microsoft.Testing.Platform" } }""";

    /// <summary>Each project of tests/Suites under one of its runners, a hung method or a hung flow; with --all each under each, and both.</summary>
    public static TheoryData<string, string> OfDotnetTest { get; } = Of(["XunitV2 async", "MSTest sync"], "XunitV2", "XunitV3", "NUnit", "MSTest");

    public static TheoryData<string, string> OfProgram { get; } = Of(["XunitV3 async"], "XunitV3", "MSTestPlatform", "TUnit");

    public static TheoryData<string, string> OfPlatform { get; } = Of(["NUnitPlatform sync"], "XunitV3", "NUnitPlatform", "MSTestPlatform", "TUnit");

    public static TheoryData<string> PassingOfPlatform { get; } = Tier.IsWhole ? ["XunitV3", "NUnitPlatform", "MSTestPlatform", "TUnit"] : ["XunitV3"];

    [Theory]
    [MemberData(nameof(OfDotnetTest))]
    public Task Under_dotnet_test_the_hung_test_is_named(string suite, string how) => AssertNamedAsync(suite, how, assembly => ["dotnet", "test", assembly]);

    [Theory]
    [MemberData(nameof(OfProgram))]
    public Task Of_a_program_of_the_testing_platform_the_hung_test_is_named(string suite, string how) => AssertNamedAsync(suite, how, assembly => [Path.ChangeExtension(assembly, null)]);

    [Theory]
    [MemberData(nameof(OfPlatform))]
    public Task Under_dotnet_test_of_the_testing_platform_the_hung_test_is_named(string suite, string how)
        => AssertNamedAsync(suite, how, _ => DotNetTestOfThePlatform(suite), Platform);

    [Theory]
    [MemberData(nameof(PassingOfPlatform))]
    public async Task Under_dotnet_test_of_the_testing_platform_passing_tests_are_passed_through(string suite)
    {
        Linux.Need();
        _ = TestSuites.Find(suite);
        using TemporaryFolder folder = new();
        await File.WriteAllTextAsync(folder["global.json"], Platform, TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run(["run", "--", .. DotNetTestOfThePlatform(suite)], folder.Folder);

        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.Contains("succeeded: 3", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("triage", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_project_whose_tests_pass_has_its_own_output_and_exit_code()
    {
        Linux.Need();
        string assembly = TestSuites.Find("NUnit");

        ToolRun run = Tool.Run("run", "--", "dotnet", "test", assembly);

        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.Contains("Passed!", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_folder_that_blame_hang_leaves_is_judged()
    {
        Linux.Need();
        string assembly = TestSuites.Find("XunitV2");
        using TemporaryFolder folder = new();

        // The test's own word says whether it had begun when its process was dumped.
        for (int patience = 5; !File.Exists(folder["mark"]); patience *= 2)
        {
            await RunWithBlameAsync(assembly, patience, folder);
        }

        ToolRun run = Tool.Run(["analyze", "results"], folder.Folder);

        Assert.Equal((1, string.Empty), (run.ExitCode, run.Error));
        Assert.StartsWith("1 test had started and had not ended:\n  Suites.LedgerTests.Posts\n", run.Out, StringComparison.Ordinal);
        Assert.Contains("== DEADLOCK", run.Out, StringComparison.Ordinal);
        Assert.Contains("Test        Suites.LedgerTests.Posts (XunitV2/LedgerTests.cs:11)", run.Out, StringComparison.Ordinal);
    }

    private static TheoryData<string, string> Of(string[] few, params string[] suites)
    {
        TheoryData<string, string> rows = [];
        string[][] chosen = Tier.IsWhole ? [.. suites.SelectMany(suite => new[] { new[] { suite, "sync" }, [suite, "async"] })] : [.. few.Select(row => row.Split(' '))];
        Array.ForEach(chosen, row => rows.Add(row[0], row[1]));
        return rows;
    }

    private static async Task RunWithBlameAsync(string assembly, int patience, TemporaryFolder folder)
    {
        Assert.InRange(patience, 1, 600);
        if (Directory.Exists(folder["results"]))
        {
            Directory.Delete(folder["results"], recursive: true);
        }

        ProcessStartInfo start = new("dotnet", ["test", assembly, "--blame-hang-timeout", $"{patience}s", "--results-directory", folder["results"]]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment[TestSuites.Variable] = "sync";
        start.Environment[TestSuites.MarkVariable] = folder["mark"];
        using Process tests = Process.Start(start)!;
        Task<string> output = tests.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await tests.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await output;
        await tests.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    private static string[] DotNetTestOfThePlatform(string suite)
        => ["dotnet", "test", "--no-build", "--project", Path.Combine(Repository.Root, "tests", "Suites", suite, $"Suites.{suite}.csproj")];

    private static async Task AssertNamedAsync(string suite, string how, Func<string, string[]> command, string? settings = null)
    {
        Linux.Need();
        string assembly = TestSuites.Find(suite);
        using TemporaryFolder folder = new();
        if (settings is not null)
        {
            await File.WriteAllTextAsync(folder["global.json"], settings, TestContext.Current.CancellationToken);
        }

        // Silence counts from when the hang is there, by the test's own word.
        string mark = folder["mark"];
        ToolRun run = Tool.Run(
            ["run", "--hang-after", "5s", "-o", "hang", "--", .. NoisyStart.Of(mark, command(assembly))], folder.Folder, (TestSuites.Variable, how), (TestSuites.MarkVariable, mark));

        Assert.True(run.ExitCode == 124, run.ToString());
        using JsonDocument report = JsonDocument.Parse(await File.ReadAllBytesAsync(folder["hang/report.json"], TestContext.Current.CancellationToken));
        JsonElement test = Assert.Single(report.RootElement.GetProperty("tests").EnumerateArray());
        Assert.Equal(how == "sync" ? "Suites.LedgerTests.Posts" : "Suites.LedgerTests.Answers", test.GetProperty("name").GetString());
        Assert.Equal($"{suite}/LedgerTests.cs", test.GetProperty("source").GetProperty("file").GetString());
        Assert.Contains($"triage: the test that runs: {test.GetProperty("name").GetString()} ({suite}/LedgerTests.cs:", run.Error, StringComparison.Ordinal);
    }
}
