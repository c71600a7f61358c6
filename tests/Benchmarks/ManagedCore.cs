using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Benchmarks;

/// <summary>The full core of a .NET program that is published with its own runtime. Made once, kept until <c>clean</c>.</summary>
/// <param name="Path">The core.</param>
/// <param name="Runtime">The folder of the program, and of its runtime.</param>
internal sealed record ManagedCore(string Path, string Runtime)
{
    public const string DataAccess = "libmscordaccore.so";

    /// <summary>What makes a tool read the core's runtime, which it would not load from a path that only the core names.</summary>
    public IReadOnlyList<string> DacOptions => ["--dac", System.IO.Path.Combine(Runtime, DataAccess)];

    /// <summary>Targets/BigHeap: 500 threads, 8.5 million objects, 200,000 dictionaries, 1.5 GB; and so many async requests.</summary>
    public static ManagedCore OfBigHeap(TextWriter progress, int requests = 0) => Make(Target("BigHeap"), requests == 0 ? [] : [$"{requests}"], progress);

    /// <summary>Targets/ManyFlows: a crowd of async methods.</summary>
    public static ManagedCore OfManyFlows(string shape, int count, TextWriter progress) => Make(Target("ManyFlows"), [shape, $"{count}"], progress);

    /// <summary>Targets/BlockedService: so many threads blocked on a task each, 2 million objects; warm.</summary>
    public static ManagedCore OfBlockedService(int threads, TextWriter progress)
        => Make(Target("BlockedService"), [$"{threads}"], progress, isWarm: true);

    public static ManagedCore OfMonitorDeadlock(TextWriter progress)
        => Make(System.IO.Path.Combine(Repository.Root, "samples", "MonitorDeadlock"), [], progress);

    private static string Target(string name) => System.IO.Path.Combine(Repository.Root, "tests", "Benchmarks", "Targets", name);

    private static ManagedCore Make(string project, IReadOnlyList<string> arguments, TextWriter progress, bool isWarm = false)
    {
        string name = System.IO.Path.GetFileName(project);
        string core = System.IO.Path.Combine(Benchmarks.Folder, $"{string.Join('-', [name, .. arguments])}.core");
        string program = System.IO.Path.Combine(Benchmarks.Folder, name);
        if (!File.Exists(core) || File.GetLastWriteTimeUtc(core) < Directory.EnumerateFiles(project).Max(File.GetLastWriteTimeUtc))
        {
            progress.WriteLine($"making {System.IO.Path.GetFileName(core)}");
            PublishedTool.Publish(project, program);
            ProcessStartInfo start = new(System.IO.Path.Combine(program, name), arguments);
            if (isWarm)
            {
                start.Environment["SAMPLE_WARM"] = "1";
            }

            DumpTool.DumpAsync(start, [(DumpType.Full, core + ".new")], CancellationToken.None).GetAwaiter().GetResult();
            File.Move(core + ".new", core, overwrite: true);
        }

        return new ManagedCore(core, program);
    }
}
