using System.Globalization;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Benchmarks;

/// <summary>What <c>triage run</c> adds to a command that passes: <c>dotnet test</c> of three tests of NUnit, with it and without it, in turn.</summary>
internal static class RunOverhead
{
    private const string Suite = "NUnit";

    public static void Measure(int pairs, TextWriter output, TextWriter progress)
    {
        PublishedTool.Make(progress);
        string[] command = ["dotnet", "test", TestSuites.Find(Suite)];
        WholeProcess watched = new([PublishedTool.Program, "run", "--", .. command], LastGoodCode: 0);
        WholeProcess alone = new(command, LastGoodCode: 0);
        progress.WriteLine($"run: {pairs} pairs");
        _ = watched.Run();
        _ = alone.Run();
        List<(double Watched, double Alone)> runs = [];
        for (int i = 0; i < pairs; i++)
        {
            // Who comes first changes: what one leaves in caches helps both alike.
            double first = (i % 2 == 0 ? watched : alone).Run().Wall.TotalSeconds;
            double second = (i % 2 == 0 ? alone : watched).Run().Wall.TotalSeconds;
            runs.Add(i % 2 == 0 ? (first, second) : (second, first));
        }

        Spread added = Spread.Of(runs.Select(run => run.Watched - run.Alone));
        Spread aloneTime = Spread.Of(runs.Select(run => run.Alone));
        output.WriteLine();
        output.WriteLine($"run: dotnet test of {Suite}, {pairs} pairs; median (least to most)");
        output.WriteLine($"  under triage run {Spread.Of(runs.Select(run => run.Watched)).Seconds()}   alone {aloneTime.Seconds()}");
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  added {added.Seconds()}, {added.Median / aloneTime.Median:0.0%} of the time alone"));
    }
}
