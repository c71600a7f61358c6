using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// Async methods that come to a semaphore twice, and the parts of what waits for several tasks; the program says what is right.
/// </summary>
public sealed class SelfWaitsTests
{
    private static readonly string[] s_prefixes = ["SelfWaits.Program.", "SelfWaits."];

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_taken_what_he_awaits_is_told_from_who_hands_it_on(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);

        string[] said = [.. process.Records("taker").Select(record => $"{record["waits"]} taker={record["taker"]}")];

        Assert.Equal(8, said.Length);
        Assert.Equal(
            said.Order(StringComparer.Ordinal),
            groups.Where(group => group.Waits.Kind == FlowWaitKind.Semaphore)
                .Select(group => $"{NameOf(group.Method)} taker={(group.Waits.Taker is { } taker ? NameOf(taker.Method) : "-")}")
                .Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_what_gives_the_entry_back_holds_it(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);

        FlowGroup[] held = [.. groups.Where(group => group.Waits.Holder is not null)];

        Assert.Equal(process.Records("held").Select(record => record["held"]), held.Select(group => NameOf(group.Method)));
        FlowTaker holder = Assert.Single(held).Waits.Holder!;
        IReadOnlyDictionary<string, string> said = process.Records("held").Single();
        Assert.Equal((said["by"], said["variable"]), (NameOf(holder.Method), holder.Variable));
        Assert.Equal(said["end"], NameOf(groups.Single(group => group.Sample == holder.End).Method));
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_promise_among_several_tasks_is_what_is_waited_for(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);

        Assert.All(process.Records("all"), record => Assert.Equal(
            record["kind"], groups.Single(group => NameOf(group.Method) == record["all"]).Waits.Kind.ToString()));
        Assert.Equal("System.Threading.Tasks.Task.WhenAll", groups.Single(group => NameOf(group.Method) == "MixedAsync").Waits.Via);
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_waits_in_the_only_method_that_ends_the_wait_is_told(TargetFramework framework, bool isOptimised)
    {
        (DumpedProcess process, IReadOnlyList<FlowGroup> groups) = await ReadAsync(framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        TaskGraphFacts tasks = snapshot.Managed!.Value.Tasks.Value;

        Assert.Equal(2, process.Records("desk").Count());
        Assert.All(process.Records("desk"), record =>
        {
            ThreadId desk = snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == record["desk"])).OsId;
            Address task = tasks.Waits.Single(wait => wait.Thread == desk).Tasks[0];
            OwnGiver? own = tasks.Tasks.Single(found => found.Address == task).Reach?.OwnGiver;
            Assert.Equal(record["giver"], own is null ? "-" : NameOf(own.Method));
        });
        Assert.All(process.Records("loop"), record => Assert.Equal(
            record["loop"], NameOf(groups.Single(group => NameOf(group.Method) == record["own"]).Waits.Reach!.OwnGiver?.Loop ?? "-")));
    }

    private static async Task<(DumpedProcess Process, IReadOnlyList<FlowGroup> Groups)> ReadAsync(
        TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("SelfWaits", framework, isOptimised);
        return (process, Cores.Read(process).Managed!.Value.Flows!.Value.Groups);
    }

    private static string NameOf(string method)
        => method.Replace('+', '.') is var plain
            && s_prefixes.FirstOrDefault(prefix => plain.StartsWith(prefix, StringComparison.Ordinal)) is { } found
                ? plain[found.Length..] : plain;
}
