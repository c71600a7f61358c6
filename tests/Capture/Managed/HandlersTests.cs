using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Who can end a wait by a delegate, by the key of a lock, or by what a thread has in hand: the program says it.</summary>
public sealed class HandlersTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_a_delegate_or_a_key_ends_the_wait_where_somebody_comes_to_call_it(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("Handlers", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);

        string[] lines = [.. process.Output.Where(line => line.Contains(" by=", StringComparison.Ordinal))];

        Assert.Equal(6, lines.Length);
        Assert.All(lines, line => Assert.Equal(line, $"{line.Split(' ')[0]} {Ends(snapshot, line)}"));
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task Async_methods_that_await_each_other_are_tasks_that_need_each_other(TargetFramework framework)
    {
        ManagedFacts managed = Cores.Read(await Cores.TargetAsync("Handlers", framework)).Managed!.Value;

        TaskFacts load = Assert.Single(managed.Tasks.Value.Tasks, task => task.Method == "Handlers.Table.LoadAsync");
        TaskFacts get = Assert.Single(managed.Tasks.Value.Tasks, task => task.Address == Assert.Single(load.Needs).Task);

        Assert.Equal("Handlers.Table.GetAsync", get.Method);
        Assert.Equal(load.Address, Assert.Single(get.Needs).Task);
    }

    // By whom of several that may end it is of no account.
    private static string Ends(ProcessSnapshot snapshot, string line)
    {
        string name = line.Split(' ')[0];
        return line.Contains("by=any", StringComparison.Ordinal) && GivenBy.ReachOf(snapshot, name).By is { } by
            ? GivenBy.Ends(snapshot, name).Replace($"by={by}", "by=any", StringComparison.Ordinal)
            : GivenBy.Ends(snapshot, name);
    }
}
