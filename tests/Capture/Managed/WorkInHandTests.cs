using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Who pauses in the middle of the work that ends a wait; the program says what is right.</summary>
public sealed class WorkInHandTests
{
    private const string Namespace = "WorkInHand.Program.";

    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_taken_the_work_is_told_from_who_looks_again_and_again(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("WorkInHand", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        IReadOnlyList<FlowGroup> groups = snapshot.Managed!.Value.Flows!.Value.Groups;

        string[] said =
            [.. process.Records("hand").Select(record => $"{record["waits"]} hand={record["hand"]}").Order(StringComparer.Ordinal)];

        Assert.Equal(18, said.Length);
        Assert.Equal(
            said,
            groups.Where(group => group.Waits.Kind == FlowWaitKind.Task)
                .Select(group => $"{NameOf(group.Method)} hand={HandOf(group, snapshot, groups)}")
                .Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Who_has_it_in_hand_and_waits_himself_is_named()
    {
        IReadOnlyList<FlowGroup> groups =
            Cores.Read(await Cores.TargetAsync("WorkInHand", TargetFramework.Net10)).Managed!.Value.Flows!.Value.Groups;
        FlowGroup Of(string name) => groups.Single(group => NameOf(group.Method) == name);

        Assert.Equal(Of("StampAsync").Sample, Of("AskStampAsync").Waits.Reach!.Bearer?.Flow);
        Assert.Null(Of("StampAsync").Waits.Reach!.Bearer);
        Assert.Null(Of("AskWrongAsync").Waits.Reach!.Bearer);
    }

    [Fact]
    public async Task A_loop_that_goes_on_by_each_tick_waits_for_nothing_that_it_looks_at()
    {
        ManagedFacts managed = Cores.Read(await Cores.TargetAsync("WorkInHand", TargetFramework.Net10)).Managed!.Value;

        Assert.Contains(managed.Flows!.Value.Groups, group => NameOf(group.Method) == "TickAsync");
        Assert.DoesNotContain(managed.Polls!.Value, poll => NameOf(poll.Method) == "TickAsync");
    }

    private static string HandOf(FlowGroup group, ProcessSnapshot snapshot, IReadOnlyList<FlowGroup> groups)
        => (group.Waits.Reach?.Movers ?? []).FirstOrDefault(mover => mover.HasInHand) switch
        {
            null => "-",
            { Thread: { } id } => snapshot.Threads.Value.Single(thread => thread.OsId == id).Name.Value,
            var mover => NameOf(groups.Single(other => other.Sample == mover.Flow).Method),
        };

    private static string NameOf(string method)
        => method.StartsWith(Namespace, StringComparison.Ordinal) ? method[Namespace.Length..] : method;
}
