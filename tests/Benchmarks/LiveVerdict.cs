using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Benchmarks;

/// <summary>How long a small hung service takes to be judged while it runs, beyond the time that its samples span by what the user asked for.</summary>
internal static class LiveVerdict
{
    private static readonly string[] s_services = ["MonitorDeadlock", "PoolStarvation"];

    public static void Measure(int runs, TextWriter output, TextWriter progress)
    {
        PublishedTool.Make(progress);
        output.WriteLine();
        output.WriteLine($"attach: seconds from the start of the tool to its verdict, beyond the time between its first and last sample; {runs} runs each; median (least to most)");
        foreach (string service in s_services)
        {
            using LiveProgram program = LiveProgram.StartAsync(service, [], CancellationToken.None).GetAwaiter().GetResult();
            progress.WriteLine($"attach: {service}");
            foreach ((int samples, double interval) in new[] { (1, 0), (2, 0.5), (3, 1.0) })
            {
                string[] how = ["--samples", $"{samples}", "--interval", $"{interval * 1_000:0}ms"];
                WholeProcess attach = new([PublishedTool.Program, "attach", program.IdText, "--format", "json", .. interval > 0 ? how : how[..2]], LastGoodCode: 2);
                _ = attach.Run();
                ProcessCost[] costs = [.. Enumerable.Range(0, runs).Select(_ => attach.Run())];
                Spread beyond = Spread.Of(costs.Select(cost => cost.Wall.TotalSeconds - ((samples - 1) * interval)));
                output.WriteLine($"  {service}, {samples} samples: {beyond.Seconds()}, processor {Spread.Of(costs.Select(cost => cost.Cpu.TotalSeconds)).Seconds()}");
            }
        }
    }
}
