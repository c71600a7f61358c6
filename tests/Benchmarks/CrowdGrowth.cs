using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>How the time of a verdict grows with a crowd of async methods: ten times as many, in turn with the fewer ones.</summary>
internal static class CrowdGrowth
{
    private const int Times = 10;

    private static readonly (string Shape, int Few)[] s_crowds = [("task", 10_000), ("semaphore", 5_000), ("chain", 10_000)];

    public static void Measure(int runs, TextWriter output, TextWriter progress)
    {
        PublishedTool.Make(progress);
        output.WriteLine();
        output.WriteLine($"crowds: elapsed, {runs} runs each, in turn; median (least to most)");
        foreach ((string shape, int few) in s_crowds)
        {
            WholeProcess small = Analyze(ManagedCore.OfManyFlows(shape, few, progress));
            WholeProcess large = Analyze(ManagedCore.OfManyFlows(shape, few * Times, progress));
            _ = small.Run();
            _ = large.Run();
            (double Few, double Many)[] costs = [.. Enumerable.Range(0, runs).Select(_ => (small.Run().Wall.TotalSeconds, large.Run().Wall.TotalSeconds))];
            Spread fewer = Spread.Of(costs.Select(cost => cost.Few));
            Spread more = Spread.Of(costs.Select(cost => cost.Many));
            string growth = (more.Median / fewer.Median).ToString("0.0", CultureInfo.InvariantCulture);
            output.WriteLine($"  {shape,-10} {few} {fewer.Seconds()}   {few * Times} {more.Seconds()}   {growth} times");
        }
    }

    private static WholeProcess Analyze(ManagedCore core) => PublishedTool.Analyze(core.Path, core.DacOptions);
}
