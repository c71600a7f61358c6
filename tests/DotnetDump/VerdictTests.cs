using System.IO.Compression;
using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.DotnetDump;

/// <summary>The command in a host of our own, on real cores, against the command line.</summary>
public sealed class VerdictTests
{
    [Theory]
    [InlineData("MonitorDeadlock", DumpType.Full)]
    [InlineData("Healthy", DumpType.Full)]
    [InlineData("MonitorDeadlock", DumpType.Normal)]
    public async Task The_report_on_a_dump_file_is_that_of_the_command_line(string sample, DumpType type)
    {
        string core = await SharedCores.OfAsync(sample, type);
        using HostSession host = new(core);
        using TemporaryFolder folder = new();

        host.Run(("--json", folder["report.json"]));

        ToolRun tool = Tool.Run("analyze", core, "--format", "json");
        Assert.Equal(WithoutTimings(tool.Out), WithoutTimings(await File.ReadAllTextAsync(folder["report.json"], TestContext.Current.CancellationToken)));
        Assert.Contains($"Written {folder["report.json"]}\n", host.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MonitorDeadlock", "== DEADLOCK, certain")]
    [InlineData("Healthy", "== NOT HUNG, likely")]
    public async Task A_process_whose_file_the_host_does_not_name_gets_the_same_verdict(string sample, string headline)
    {
        string core = await SharedCores.OfAsync(sample);
        using HostSession file = new(core);
        using HostSession session = new(core, namesFile: false);

        string? expected = Line(file.Run(), "Rule");
        string output = session.Run();

        Assert.StartsWith(headline, output, StringComparison.Ordinal);
        Assert.Equal(expected, Line(output, "Rule"));
        Assert.Equal(headline.Contains("DEADLOCK", StringComparison.Ordinal), expected?.Contains("; signature ", StringComparison.Ordinal) ?? false);
        Assert.Contains("the-program (pid ", output, StringComparison.Ordinal);
        Assert.Contains("debugger session; Linux, x64; CoreCLR 10.", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_that_the_user_says_hangs_is_not_called_healthy()
    {
        using HostSession host = new(await SharedCores.OfAsync("Healthy"));

        Assert.DoesNotContain("NOT HUNG", host.Run(("--hung", true)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_that_is_not_in_the_input_is_listed_where_it_is_asked_for()
    {
        using HostSession host = new(await SharedCores.OfAsync("MonitorDeadlock"));

        Assert.Contains("(-v lists them)", host.Run().ReplaceLineEndings(" "), StringComparison.Ordinal);
        Assert.Contains("Not in the input\n   1. ", host.Run(("--verbose", true)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_Windows_process_that_the_host_shows_is_judged_by_its_memory_and_threads()
    {
        using TemporaryFolder folder = new();
        using (FileStream packed = File.OpenRead(Repository.Sample("LoaderLockSpin", "hang.dmp.gz")))
        using (GZipStream content = new(packed, CompressionMode.Decompress))
        using (FileStream dump = File.Create(folder["hang.dmp"]))
        {
            content.CopyTo(dump);
        }

        using HostSession host = new(folder["hang.dmp"], namesFile: false);

        string output = host.Run();

        Assert.Contains("HT3001", Line(output, "Rule"), StringComparison.Ordinal);
        Assert.Contains("spin!spin_until_released", output, StringComparison.Ordinal);
        Assert.Contains("SOS does not tell it", output.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_runtime_that_the_host_cannot_open_is_a_gap_with_its_reason_and_another_is_looked_for()
    {
        string core = await SharedCores.OfAsync("MonitorDeadlock");
        using HostSession host = new(core) { RuntimeAnswer = () => throw new ClrDiagnosticsException("no DAC for it") };

        string output = host.Run();

        Assert.StartsWith("== DEADLOCK, certain", output, StringComparison.Ordinal);
        Assert.Contains("could not open the .NET runtime: no DAC for it", Unwrapped(output), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_core_of_a_crash_says_so_in_its_first_line()
    {
        using TemporaryFolder folder = new();
        await SharedCores.WriteCrashAsync("MonitorDeadlock", folder["core"]);
        using HostSession host = new(folder["core"]);

        Assert.Matches("^! CRASH: SIGABRT \\(6\\) in thread 0 ", host.Run());
    }

    private static string WithoutTimings(string json)
    {
        JsonNode report = JsonNode.Parse(json)!;
        report.AsObject().Remove("timings");
        return report.ToJsonString();
    }

    private static string? Line(string output, string name) => output.Split('\n').SingleOrDefault(line => line.TrimStart().StartsWith(name + " ", StringComparison.Ordinal));

    private static string Unwrapped(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
