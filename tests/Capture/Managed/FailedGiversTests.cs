using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Waits that only a method could end which has failed; the program says what is right.</summary>
public sealed class FailedGiversTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_consumer_that_has_failed_is_told_from_one_that_is_begun_again(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("FailedGivers", framework, isOptimised);
        IReadOnlyList<FlowGroup> groups = Cores.Read(process).Managed!.Value.Flows!.Value.Groups;
        string[] said = [.. process.Records("failed").Select(record => $"{record["waits"]} failed={record["failed"]}")];

        FlowGroup[] found =
            [.. groups.Where(group => process.Records("failed").Any(record => record["waits"] == NameOf(group.Method)))];

        Assert.Equal(4, said.Length);
        Assert.Equal(
            said.Order(StringComparer.Ordinal),
            found.Select(group => $"{NameOf(group.Method)} failed={(group.Waits.Reach?.FailedGiver is { } failed ? NameOf(failed.Method) : "-")}")
                .Order(StringComparer.Ordinal));
        Assert.All(
            found.Select(group => group.Waits.Reach?.FailedGiver).OfType<FailedGiver>(),
            failed => Assert.Equal("System.FormatException", failed.Exception));
    }

    private static string NameOf(string method) => method[(method.LastIndexOf('.') + 1)..];
}
