using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What will run again in a process, and whether it can do more than look: the program says it.</summary>
public sealed class MoversTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Each_mover_is_known_to_act_or_only_to_look(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("Movers", framework, isOptimised);
        IReadOnlyList<MoverFacts> movers = Cores.Read(process).Managed!.Value.Movers!.Value;

        string[] said =
            [.. process.Output.Where(line => line.StartsWith("mover ", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

        Assert.Equal(11, said.Length);
        Assert.Equal(said, movers.Select(mover => $"mover {mover.Name} acts={mover.Acts}").Order(StringComparer.Ordinal));
    }
}
