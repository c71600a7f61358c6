using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Who can end a wait for what is signalled by calls, by the code that makes them; the program says it of each wait.</summary>
public sealed class SignalGiversTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_it_ends_the_wait_where_somebody_can_come_to_code_that_signals_it(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        Assert.False(snapshot.Managed!.Value.Reach!.Value.IsQuiet);

        string[] lines = [.. process.Output.Where(line => line.Contains(" by=", StringComparison.Ordinal))];

        // The framework has pipes from .NET 10 on.
        Assert.Equal(framework == TargetFramework.Net10 ? 37 : 36, lines.Length);
        Assert.Equal(
            lines.Select(WithoutAny),
            lines.Select(line => (Line: line, Parts: line.Split(' ', '=')))
                .Select(pair => WithoutAny($"{pair.Parts[0]}={pair.Parts[1]} {GivenBy.Ends(snapshot, pair.Parts[1])}", pair.Line)));
    }

    // Who surely gives it can be told in code that is not optimised, and not in other.
    private static string WithoutAny(string line) => WithoutAny(line, line);

    private static string WithoutAny(string line, string said)
        => said.EndsWith("sure=any", StringComparison.Ordinal) ? line[..line.LastIndexOf(' ')] : line;

    [Fact]
    public async Task One_who_comes_to_a_barrier_does_not_come_for_two()
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", TargetFramework.Net10);

        IReadOnlyList<ReachMover> movers = GivenBy.ReachOf(Cores.Read(process), "strides").Movers!;

        Assert.NotEmpty(movers);
        Assert.DoesNotContain(movers, mover => mover.HasInHand);
    }

    [Fact]
    public async Task The_methods_with_such_a_call_are_named_where_nobody_comes_there_any_more()
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", TargetFramework.Net10);
        ProcessSnapshot snapshot = Cores.Read(process);

        Assert.Contains(GivenBy.ReachOf(snapshot, "items").Givers!, giver => giver.Contains("<Items>", StringComparison.Ordinal));
        Assert.Null(GivenBy.ReachOf(snapshot, "ticks").Givers);
        Assert.Empty(GivenBy.ReachOf(snapshot, "items").Holders);
        Assert.Equal(["GivenSignals.Program.Belts"], GivenBy.ReachOf(snapshot, "SendAsync").Givers!);
    }
}
