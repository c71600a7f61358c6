using System.Globalization;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Suspended async methods of every shape, against what the program that has them printed.</summary>
public sealed class FlowsTests
{
    private const string Namespace = "AsyncFlows.";

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Each_suspended_method_is_listed_with_its_line_and_what_it_waits_for(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("AsyncFlows", framework);
        FlowsFacts flows = Cores.Read(process).Managed!.Value.Flows!.Value;

        foreach (IReadOnlyDictionary<string, string> truth in process.Records("kind"))
        {
            FlowGroup[] found = [.. flows.Groups.Where(group => group.Method == Namespace + truth["method"] && group.Waits.Kind.ToString() == truth["kind"]
                && (truth["kind"] != "AsyncMethod" || group.Waits.Label == Namespace + truth["label"]))];
            Assert.True(found.Length == 1, $"{truth["method"]}, {truth["kind"]} {truth["label"]}: {found.Length} groups");
            Assert.Equal(Line(truth), Line(found[0], truth));
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Nothing_else_of_the_program_is_listed(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("AsyncFlows", framework);
        FlowsFacts flows = Cores.Read(process).Managed!.Value.Flows!.Value;

        string[] expected = [.. process.Records("kind").Select(truth => $"{Namespace}{truth["method"]} {truth["kind"]}"), $"{Namespace}Shapes.<Lambda>b__22_0 Task", $"{Namespace}Shapes.<Local>g__InnerAsync|23_0 Task"];
        Assert.Equal(
            expected.Order(StringComparer.Ordinal),
            flows.Groups.Where(group => group.Method.StartsWith(Namespace, StringComparison.Ordinal)).Select(group => $"{group.Method} {group.Waits.Kind}").Order(StringComparer.Ordinal));
        Assert.Equal(flows.Groups.Sum(group => group.Count), flows.Suspended);
        Assert.Equal(0, flows.Omitted + flows.Unreadable);
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task What_nothing_refers_to_is_garbage_and_what_keeps_the_others_is_named(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("AsyncFlows", framework);
        FlowsFacts flows = Cores.Read(process).Managed!.Value.Flows!.Value;

        Assert.Equal(process.Records("lost").Single()["lost"], flows.Unreachable.ToString(CultureInfo.InvariantCulture));
        Assert.DoesNotContain(flows.Groups, group => group.Root == FlowRoot.Unknown);
        Assert.All(
            process.Records("root").Where(truth => truth["root"] != "-"),
            truth => Assert.Equal(truth["root"], flows.Groups.First(group => group.Method == Namespace + truth["method"]).Root.ToString()));
    }

    private static string Line(IReadOnlyDictionary<string, string> truth)
        => $"{truth["method"]}: {truth["count"]} at {truth["line"]}, {truth["label"]} {truth["counts"]} ends {truth["ends"]} by {truth["by"]} {truth["state"]}";

    // What the program asks nothing of is "-".
    private static string Line(FlowGroup group, IReadOnlyDictionary<string, string> truth)
    {
        FlowWait wait = group.Waits;
        string counts = wait.Entries is { } entries ? $"{entries.Left}/{entries.Most}"
            : wait.Queue is { Used: { } used, Capacity: { } capacity } ? $"{used}/{capacity}"
            : "-";
        string ends = string.Join(',', new[] { wait.EndsByTimer ? "timer" : null, wait.EndsByToken ? "token" : null }.OfType<string>().DefaultIfEmpty("-"));
        string by = string.Join(',', group.AwaitedBy.Select(method => method[Namespace.Length..]).DefaultIfEmpty("-"));
        string label = wait.Label is { } field && field.StartsWith(Namespace, StringComparison.Ordinal) ? field[Namespace.Length..] : "-";
        string line = (group.Source?.Line ?? 0).ToString(CultureInfo.InvariantCulture);
        return $"{truth["method"]}: {group.Count} at {line}, {(truth["label"] == "-" ? "-" : label)} {counts} ends {ends} by {(truth["by"] == "-" ? "-" : by)} {group.State}";
    }
}
