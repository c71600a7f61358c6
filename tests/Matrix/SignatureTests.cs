using System.Text.Json;
using HangTriage.Cli;
using HangTriage.Cli.Commands;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Matrix;

/// <summary>What `triage summary` makes of real reports: one hang is one group on every .NET and in every kind of dump, and two hangs are two.</summary>
public sealed class SignatureTests
{
    private const int LeastSamples = 30;

    public static TheoryData<string> Samples { get; } = [.. HangReports.Samples];

    [Theory]
    [MemberData(nameof(Samples))]
    public async Task All_reports_of_a_sample_are_one_group(string sample)
    {
        IReadOnlyList<string> reports = await ReportsAsync(sample);

        JsonElement[] groups = Groups(reports);

        Assert.NotEmpty(reports);
        Assert.True(groups.Length == 1, string.Join('\n', groups.Select(SignatureOf)));
        Assert.Equal(reports.Count, groups[0].GetProperty("count").GetInt32());
    }

    [Fact]
    public async Task Samples_of_different_hangs_are_as_many_groups()
    {
        List<string> reports = [];
        foreach (string sample in HangReports.Samples)
        {
            reports.AddRange(await ReportsAsync(sample));
        }

        Assert.InRange(HangReports.Samples.Count, LeastSamples, int.MaxValue);
        Assert.Equal(HangReports.Samples.Count, Groups(reports).Length);
    }

    private static async Task<IReadOnlyList<string>> ReportsAsync(string sample)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return await HangReports.OfAsync(sample).WaitAsync(TestContext.Current.CancellationToken);
    }

    private static JsonElement[] Groups(IReadOnlyList<string> reports)
    {
        using TemporaryFolder folder = new();
        using StringWriter output = new();
        int code = CommandLine.Run(["summary", folder.Write("reports.ndjson", string.Join('\n', reports)), "--format", "json"], new Host { Out = output, Error = TextWriter.Null });

        Assert.Equal(0, code);
        JsonElement summary = JsonDocument.Parse(output.ToString()).RootElement;
        Assert.Equal((reports.Count, 0), (summary.GetProperty("reports").GetInt32(), summary.GetProperty("bad").GetInt32()));
        return [.. summary.GetProperty("groups").EnumerateArray()];
    }

    private static string? SignatureOf(JsonElement group) => group.GetProperty("signature").GetString();
}
