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
    private const string Debugger = "debugger";

    private const int Threads = 1000;
    private const int FewThreads = 100;
    private const int Small = 64;
    private const int Large = 1024;

    private const int NotHere = 3;

    public static IReadOnlyList<string> Names { get; } = [Published, Big, Memory, Parts, Managed, Deep, Debugger];

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
        using Sides? sides = options.Scenarios.Any(scenario => scenario is Published or Big or Memory or Debugger) ? new Sides(dumps, progress) : null;
        foreach (string scenario in options.Scenarios)
        {
            Run(scenario, options.Pairs, dumps, output, progress);
        }

        output.WriteLine(Machine.Describe());
        return 0;
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
                CompareManaged([], BareClrMd.Stacks);
                break;
            case Deep:
                CompareManaged(["--deep"], BareClrMd.Heap);
                break;
            case Debugger:
                DebuggerCommand.Compare(dumps.MonitorDeadlock(), pairs, output, progress);
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

        void CompareManaged(IReadOnlyList<string> arguments, Func<string, WholeProcess> bare)
        {
            PublishedTool.Make(progress);
            BareClrMd.Make(progress);
            string core = ManagedCore.Make(progress);
            progress.WriteLine($"{scenario}: {pairs} pairs");
            Comparison.Run(PublishedTool.Analyze(core, arguments), bare(core), pairs).Write(scenario, core, "bare ClrMD", output);
        }
    }
}
