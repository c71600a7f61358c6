using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The scenarios, and running them.</summary>
internal static class Benchmarks
{
    private const string Published = "published";
    private const string Big = "big";
    private const string Memory = "memory";
    private const string Parts = "parts";
    private const string Managed = "managed";
    private const string Deep = "deep";
    private const string Flows = "flows";
    private const string Crowds = "crowds";
    private const string Monitor = "monitor";
    private const string Debugger = "debugger";
    private const string Trace = "trace";
    private const string PackedTrace = "packed-trace";
    private const string Pause = "pause";
    private const string Attach = "attach";
    private const string RunCommand = "run";
    private const string Summary = "summary";
    private const string Blocked = "blocked";

    private const int Threads = 1000;
    private const int FewThreads = 100;
    private const int Small = 64;
    private const int Large = 1024;
    private const int Requests = 100_000;
    private const int BlockedThreads = 2000;

    private const int NotHere = 3;

    public static IReadOnlyList<string> Names { get; } =
    [
        Published, Big, Memory, Parts, Managed, Deep, Flows, Crowds, Blocked, Monitor, Debugger, Trace, PackedTrace, Pause, Attach,
        RunCommand, Summary,
    ];

    /// <summary>What is made to measure with; git ignores it.</summary>
    public static string Folder { get; } = Path.Combine(Repository.Artifacts, "benchmarks");

    public static int Run(Options options, TextWriter output, TextWriter progress)
    {
        if (options.Clean)
        {
            if (Directory.Exists(Folder))
            {
                Directory.Delete(Folder, recursive: true);
            }

            return 0;
        }

        if (!OperatingSystem.IsLinux())
        {
            progress.WriteLine("The benchmarks run on Linux, where the Windows lab does.");
            return NotHere;
        }

        output.WriteLine(Machine.Describe());
        Dumps dumps = new(Path.Combine(Folder, "dumps"), progress);
        using Sides? sides = options.Before is null && options.Scenarios.Any(scenario => scenario is Published or Big or Memory or Debugger) ? new Sides(dumps, progress) : null;
        foreach (string scenario in options.Scenarios)
        {
            if (options.Before is not { } before)
            {
                Run(scenario, options.Pairs, dumps, output, progress);
            }
            else if (InputOf(scenario, dumps, progress) is (var dump, var arguments))
            {
                CompareWithBefore(before, scenario, dump, arguments, options.Pairs, output, progress);
            }
        }

        output.WriteLine(Machine.Describe());
        return 0;
    }

    // No dump where the scenario does not compare whole runs of the tool.
    private static (string Dump, IReadOnlyList<string> Arguments)? InputOf(string scenario, Dumps dumps, TextWriter progress) => scenario switch
    {
        Published => (dumps.Published(), []),
        Big => (dumps.ManyThreads(Large, Threads), []),
        Managed => InputOf(ManagedCore.OfBigHeap(progress), []),
        Deep => InputOf(ManagedCore.OfBigHeap(progress), ["--deep"]),
        Flows => InputOf(ManagedCore.OfBigHeap(progress, Requests), []),
        Monitor => InputOf(ManagedCore.OfMonitorDeadlock(progress), []),
        _ => null,
    };

    private static (string Dump, IReadOnlyList<string> Arguments) InputOf(ManagedCore core, IReadOnlyList<string> arguments)
        => (core.Path, [.. core.DacOptions, .. arguments]);

    private static void CompareWithBefore(
        string before, string scenario, string dump, IReadOnlyList<string> arguments, int pairs, TextWriter output, TextWriter progress)
    {
        PublishedTool.Make(progress);
        progress.WriteLine($"{scenario}: {pairs} pairs");
        Comparison.Run(PublishedTool.Analyze(dump, arguments), PublishedTool.Analyze(before, dump, arguments), pairs)
            .Write(scenario, dump, "the tool before", output);
    }

    private static void Run(string scenario, int pairs, Dumps dumps, TextWriter output, TextWriter progress)
    {
        switch (scenario)
        {
            case Published:
                Compare(dumps.Published());
                break;
            case Big:
                Compare(dumps.ManyThreads(Large, Threads));
                break;
            case Managed:
                CompareManaged(ManagedCore.OfBigHeap(progress), [], BareClrMd.Stacks);
                break;
            case Deep:
                CompareManaged(ManagedCore.OfBigHeap(progress), ["--deep"], BareClrMd.Heap);
                break;
            case Flows:
                CompareManaged(ManagedCore.OfBigHeap(progress, Requests), [], BareClrMd.Heap);
                break;
            case Crowds:
                CrowdGrowth.Measure(pairs, output, progress);
                break;
            case Blocked:
                LookUpShare.Measure(ManagedCore.OfBlockedService(BlockedThreads, progress), pairs, output, progress);
                break;
            case Monitor:
                CompareManaged(ManagedCore.OfMonitorDeadlock(progress), [], BareClrMd.Heap);
                break;
            case Pause:
                LivePause.Measure(pairs, output, progress);
                break;
            case Attach:
                LiveVerdict.Measure(pairs, output, progress);
                break;
            case RunCommand:
                RunOverhead.Measure(pairs, output, progress);
                break;
            case Summary:
                ReportSummary.Measure(pairs, output, progress);
                break;
            case Debugger:
                DebuggerCommand.Compare(dumps.MonitorDeadlock(), pairs, output, progress);
                break;
            case Trace or PackedTrace:
                TraceReading.Measure(isCompressed: scenario == PackedTrace, pairs, output, progress);
                break;
            case Memory:
                MemoryGrowth.Measure([dumps.ManyThreads(Small, FewThreads), dumps.ManyThreads(Large, FewThreads)], output);
                break;
            default:
                WarmParts.Measure(dumps.Published(), output);
                WarmParts.Measure(dumps.ManyThreads(Large, Threads), output);
                break;
        }

        void Compare(string dump)
        {
            progress.WriteLine($"{scenario}: {pairs} pairs");
            Comparison.Run(Sides.Ours(dump), Sides.Peer(dump), pairs).Write(scenario, dump, "engine (its processor time without Wine's server)", output);
        }

        void CompareManaged(ManagedCore core, IReadOnlyList<string> arguments, Func<string, WholeProcess> bare)
        {
            PublishedTool.Make(progress);
            BareClrMd.Make(progress);
            progress.WriteLine($"{scenario}: {pairs} pairs");
            Comparison.Run(PublishedTool.Analyze(core.Path, [.. core.DacOptions, .. arguments]), bare(core.Path), pairs)
                .Write(scenario, core.Path, "bare ClrMD", output);
        }
    }
}
