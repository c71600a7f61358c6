using System.Diagnostics;
using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Real test projects that hang, under every framework and runner: the verdict names the test, with file and line.</summary>
[Trait("Tier", "all")]
public sealed class HungTestTests
{
    // What global.json says where "dotnet test" of the .NET 10 SDK runs programs of Microsoft.Testing.Platform.
    private const string Platform = """{ "test": { "runner": "Microsoft.Testing.Platform" } }""";

    // A test run, three samples and their judgement, on a machine that may be busy.
    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(4);

    [Theory]
    [InlineData("XunitV2", "sync")]
    [InlineData("XunitV2", "async")]
    [InlineData("XunitV3", "sync")]
    [InlineData("XunitV3", "async")]
    [InlineData("NUnit", "sync")]
    [InlineData("NUnit", "async")]
    [InlineData("MSTest", "sync")]
    [InlineData("MSTest", "async")]
    public Task Under_dotnet_test_the_hung_test_is_named(string suite, string how) => AssertNamedAsync(suite, how, assembly => ["dotnet", "test", assembly]);

    [Theory]
    [InlineData("XunitV3", "async")]
    [InlineData("MSTestPlatform", "sync")]
    [InlineData("MSTestPlatform", "async")]
    [InlineData("TUnit", "sync")]
    [InlineData("TUnit", "async")]
    public Task Of_a_program_of_the_testing_platform_the_hung_test_is_named(string suite, string how) => AssertNamedAsync(suite, how, assembly => [Path.ChangeExtension(assembly, null)]);

    [Theory]
    [InlineData("XunitV3", "sync")]
    [InlineData("XunitV3", "async")]
    [InlineData("NUnitPlatform", "sync")]
    [InlineData("NUnitPlatform", "async")]
    [InlineData("MSTestPlatform", "sync")]
    [InlineData("MSTestPlatform", "async")]
    [InlineData("TUnit", "sync")]
    [InlineData("TUnit", "async")]
    public Task Under_dotnet_test_of_the_testing_platform_the_hung_test_is_named(string suite, string how)
        => AssertNamedAsync(suite, how, _ => DotNetTestOfThePlatform(suite), Platform);

    [Theory]
    [InlineData("XunitV3")]
    [InlineData("NUnitPlatform")]
    [InlineData("MSTestPlatform")]
    [InlineData("TUnit")]
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
        ProcessStartInfo start = new("dotnet", ["test", assembly, "--blame-hang-timeout", "5s", "--results-directory", folder["results"]]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment[TestSuites.Variable] = "sync";
        using Process tests = Process.Start(start)!;
        Task<string> output = tests.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await tests.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await output;
        await tests.WaitForExitAsync(TestContext.Current.CancellationToken);

        ToolRun run = Tool.Run(["analyze", "results"], folder.Folder);

        Assert.Equal((1, string.Empty), (run.ExitCode, run.Error));
        Assert.StartsWith("1 test had started and had not ended:\n  Suites.LedgerTests.Posts\n", run.Out, StringComparison.Ordinal);
        Assert.Contains("== DEADLOCK", run.Out, StringComparison.Ordinal);
        Assert.Contains("Test        Suites.LedgerTests.Posts (XunitV2/LedgerTests.cs:11)", run.Out, StringComparison.Ordinal);
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

        using Process watched = Tool.Start(["run", "--hang-after", "5s", "-o", "hang", "--", .. command(assembly)], folder.Folder, (TestSuites.Variable, how));
        ToolRun run = Tool.Finish(watched, s_bound);

        Assert.Equal(124, run.ExitCode);
        using JsonDocument report = JsonDocument.Parse(await File.ReadAllBytesAsync(folder["hang/report.json"], TestContext.Current.CancellationToken));
        JsonElement test = Assert.Single(report.RootElement.GetProperty("tests").EnumerateArray());
        Assert.Equal(how == "sync" ? "Suites.LedgerTests.Posts" : "Suites.LedgerTests.Answers", test.GetProperty("name").GetString());
        Assert.Equal($"{suite}/LedgerTests.cs", test.GetProperty("source").GetProperty("file").GetString());
        Assert.Contains($"triage: the test that runs: {test.GetProperty("name").GetString()} ({suite}/LedgerTests.cs:", run.Error, StringComparison.Ordinal);
    }
}
