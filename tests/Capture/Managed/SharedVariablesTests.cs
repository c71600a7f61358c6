using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// Who has the object that the lambdas of a method share can use only what they use of it; the program says it of each of its threads.
/// </summary>
public sealed class SharedVariablesTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_can_come_to_code_that_uses_a_variable_can_end_the_wait(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("SharedVariables", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        TaskGraphFacts tasks = snapshot.Managed!.Value.Tasks.Value;
        IReadOnlyDictionary<string, string>[] lines = [.. process.Records("name")];

        Assert.Equal(6, lines.Length);
        Assert.Equal(
            lines.Select(line => (line["name"], line["by"])),
            lines.Select(line => (line["name"], ReachOf(line["name"]).By?.ToString() ?? "-")));

        WaitReach ReachOf(string name)
        {
            ThreadId thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(found => found == name)).OsId;
            Address task = Assert.Single(tasks.Waits.Single(wait => wait.Thread == thread).Tasks);
            return tasks.Tasks.Single(found => found.Address == task).Reach!;
        }
    }
}
