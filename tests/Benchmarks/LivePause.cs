using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Benchmarks;

/// <summary>
/// How long a live process stands still for one look: ours, gdb's list of stacks and createdump, in turn on the same process. From outside,
/// from the first to the last time that its first thread is seen stopped; ours also by its own report.
/// </summary>
internal static class LivePause
{
    private const string Tool = "triage";

    private static readonly int[] s_threads = [10, 100, 1_000];

    public static void Measure(int runs, TextWriter output, TextWriter progress)
    {
        PublishedTool.Make(progress);
        output.WriteLine();
        output.WriteLine($"pause: milliseconds that the process stands still, {runs} runs each, in turn; median (least to most)");
        foreach (int threads in s_threads)
        {
            progress.WriteLine($"pause: {threads} threads");
            Measure(threads, runs, output);
        }
    }

    private static void Measure(int threads, int runs, TextWriter output)
    {
        using LiveProgram program = LiveProgram.StartAsync("LivePrograms", ["sleepers", $"{threads}"], CancellationToken.None).GetAwaiter().GetResult();
        string core = Path.Combine(Benchmarks.Folder, "pause.core");
        string createdump = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "createdump");
        (string Name, string[] Command)[] sides =
        [
            (Tool, [PublishedTool.Program, "attach", program.IdText, "--samples", "1", "--format", "json"]),
            ("gdb", ["gdb", "-p", program.IdText, "-batch", "-ex", "thread apply all bt"]),
            ("createdump", [createdump, "--full", "--name", core, program.IdText]),
        ];
        Dictionary<string, List<double>> seen = sides.ToDictionary(side => side.Name, _ => new List<double>());
        List<double> said = [];
        for (int i = 0; i <= runs; i++)
        {
            foreach ((string name, string[] command) in sides)
            {
                (double pause, string report) = Run(command, program.Id);

                // The first round warms up.
                if (i > 0)
                {
                    seen[name].Add(pause);
                    said.AddRange(name == Tool ? [StoodStill(report)] : []);
                }
            }
        }

        File.Delete(core);
        Spread gdb = Spread.Of(seen["gdb"]);
        output.WriteLine($"  {threads} threads: {string.Join("   ", seen.Select(side => $"{side.Key} {Spread.Of(side.Value).Whole()}"))}   ours by its report {Spread.Of(said).Whole()}");
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"    ours of gdb's {Spread.Of(said).Median / gdb.Median:0.000}"));
    }

    private static (double Pause, string Output) Run(string[] command, int process)
    {
        using Process run = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> output = run.StandardOutput.ReadToEndAsync();
        Task<string> error = run.StandardError.ReadToEndAsync();
        long first = 0;
        long last = 0;
        while (!run.HasExited)
        {
            if (IsStopped(process))
            {
                last = Stopwatch.GetTimestamp();
                first = first == 0 ? last : first;
            }
        }

        _ = error.GetAwaiter().GetResult();
        return (Stopwatch.GetElapsedTime(first, last).TotalMilliseconds, output.GetAwaiter().GetResult());
    }

    private static bool IsStopped(int process)
    {
        string stat = File.ReadAllText($"/proc/{process}/stat");
        return stat[stat.LastIndexOf(')') + 2] is 't' or 'T';
    }

    private static double StoodStill(string report)
    {
        using JsonDocument document = JsonDocument.Parse(report);
        return document.RootElement.GetProperty("target").GetProperty("stoodStill").GetDouble();
    }
}
