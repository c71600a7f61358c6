using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Who can end the wait for what a static field holds, by the code that uses the field; the program says it of each of its threads.</summary>
public sealed class StaticUsersTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_can_come_to_code_that_uses_a_static_field_can_end_the_wait(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("StaticWaits", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        IReadOnlyList<WaitFacts> waits = snapshot.Managed!.Value.Waits.Value;
        Assert.False(snapshot.Managed.Value.Reach!.Value.IsQuiet);

        string[][] lines = [.. process.Output.Where(line => line.StartsWith("name=", StringComparison.Ordinal)).Select(line => line.Split(' ', '='))];

        Assert.Equal(11, lines.Length);
        Assert.All(lines, line =>
        {
            ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == line[1]));
            WaitReach reach = Assert.Single(waits, wait => wait.Thread == thread.OsId).Reach!;

            bool isByGivers = reach.By is not null && reach.IsByGiversAlone;
            Assert.Equal((line[1], line[3], line[5]), (line[1], reach.By?.ToString() ?? "-", isByGivers.ToString()));
        });
    }

    [Fact]
    public async Task The_methods_that_give_are_named_and_who_only_waits_has_none()
    {
        DumpedProcess process = await Cores.TargetAsync("StaticWaits", TargetFramework.Net10);
        ProcessSnapshot snapshot = Cores.Read(process);

        Assert.Equal(["StaticWaits.Program.Load"], GiversOf("unset"));
        Assert.Equal(["StaticWaits.Program.Feed"], GiversOf("starved"));
        Assert.Empty(GiversOf("lonely"));
        Assert.Contains("<Main>b__", Assert.Single(GiversOf("items")), StringComparison.Ordinal);

        IReadOnlyList<string> GiversOf(string name)
        {
            ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(found => found == name));
            return snapshot.Managed!.Value.Waits.Value.Single(wait => wait.Thread == thread.OsId).Reach!.Givers!;
        }
    }
}
