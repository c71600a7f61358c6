using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// Async methods that come to a semaphore twice, and the parts of what waits for several tasks; the program says what is right.
/// </summary>
public sealed class SelfWaitsTests
{
    private const string Namespace = "SelfWaits.Program.";

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false)]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_taken_a_semaphore_and_awaits_a_waiter_is_told_from_who_hands_it_on(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);

        string[] said = [.. process.Records("taker").Select(record => $"{record["waits"]} taker={record["taker"]}")];

        Assert.Equal(4, said.Length);
        Assert.Equal(
            said.Order(StringComparer.Ordinal),
            groups.Where(group => group.Waits.Kind == FlowWaitKind.Semaphore)
                .Select(group => $"{NameOf(group.Method)} taker={(group.Waits.Taker is { } taker ? NameOf(taker.Method) : "-")}")
                .Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false)]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_promise_among_several_tasks_is_what_is_waited_for(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);

        Assert.All(process.Records("all"), record => Assert.Equal(
            record["kind"], groups.Single(group => NameOf(group.Method) == record["all"]).Waits.Kind.ToString()));
        Assert.Equal("System.Threading.Tasks.Task.WhenAll", groups.Single(group => NameOf(group.Method) == "MixedAsync").Waits.Via);
    }

    private static async Task<(DumpedProcess Process, IReadOnlyList<FlowGroup> Groups)> ReadAsync(
        TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("SelfWaits", framework, isOptimised);
        return (process, Cores.Read(process).Managed!.Value.Flows!.Value.Groups);
    }

    private static string NameOf(string method)
        => method.StartsWith(Namespace, StringComparison.Ordinal) ? method[Namespace.Length..] : method;
}
