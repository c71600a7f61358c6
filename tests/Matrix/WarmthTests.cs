using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.States;

namespace HangTriage.Tests.Matrix;

/// <summary>Whether a dump's code is warm is said of made dumps, right and wrong ones.</summary>
public sealed class WarmthTests
{
    private const int LeastSamples = 12;

    private const string Dump = """
        dump	made.core	heap
        thread	a1	-	clerk
        frame	System.Threading.Monitor.Enter_Slowpath	7f0000009000
        frame	Shop.Program.Book	7f0000001010
        frame	Shop.Worker.Run	7f0000002fff
        thread	a2	-	buyer
        frame	Shop.Program.Buy	7f0000003000
        frame	Shop.Program.Book	7f0000001080
        end
        """;

    private const string Map = """
        00007f0000001000 60 void [Shop] Shop.Program::Book()[Tier0]
        00007f0000001000 100 void [Shop] Shop.Program::Book()[OptimizedTier1]
        00007f0000002f00 100 void [Shop] Shop.Worker::Run(int32[])[OptimizedTier1OSR]
        0x7f0000003000 20 void [Shop] Shop.Program::Buy()[QuickJittedInstrumented]
        """;

    [Theory]
    [InlineData("Program.Book", null)]
    [InlineData("Worker.*", null)]
    [InlineData("Program.Buy", "Program.Buy is not warm: its code is QuickJittedInstrumented")]
    [InlineData("Monitor.Enter_Slowpath", "Monitor.Enter_Slowpath is not warm: its code is that which came with .NET")]
    [InlineData("Program.Sell", "Program.Sell is on no stack: ")]
    public void Methods_on_stacks_have_to_be_code_of_tier_1(string method, string? missing)
    {
        StateFacts dump = StateFacts.Parse(Dump.Split('\n')).Single();

        string? found = SampleWarmth.Missing([method], dump, CompiledCode.Parse(Map.Split('\n')));

        Assert.StartsWith(missing ?? string.Empty, found ?? string.Empty, StringComparison.Ordinal);
        Assert.Equal(missing is null, found is null);
    }

    [Fact]
    public void Each_sample_that_warms_up_says_which_of_its_methods_are_warm_then()
    {
        string[] warm = [.. SampleList.Managed.Where(sample => SampleWarmth.Of(sample).Count > 0)];

        Assert.Equal(SampleList.Managed.Where(WarmsUp), warm);
        Assert.InRange(warm.Length, LeastSamples, int.MaxValue);
    }

    private static bool WarmsUp(string sample)
        => File.ReadAllText(Repository.Sample(sample, $"{sample}.csproj")).Contains("Warmth.cs", StringComparison.Ordinal);
}
