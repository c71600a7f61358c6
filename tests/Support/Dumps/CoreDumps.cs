using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// Makes dumps that several tests look at, once: they are kept under artifacts/dumps, shared by all test assemblies, and
/// replaced when their program's sources or the runtime change. Never committed: a runtime update makes new ones.
/// </summary>
public static class CoreDumps
{
    public static Task<DumpedProcess> OfSampleAsync(string sample, TargetFramework framework, DumpType type, CancellationToken cancellation)
        => OfProjectAsync(Repository.Sample(sample), framework, type, cancellation);

    /// <param name="project">The folder of a program that prints READY as its last line when its state is reached.</param>
    /// <param name="framework">What it runs on.</param>
    /// <param name="type">How much the dump holds.</param>
    /// <param name="cancellation">The test's.</param>
    /// <param name="isOptimised">All of its code is compiled with whatever can be inlined.</param>
    public static async Task<DumpedProcess> OfProjectAsync(
        string project, TargetFramework framework, DumpType type, CancellationToken cancellation, bool isOptimised = false)
    {
        string name = Path.GetFileName(project);
        string program = DotNetPrograms.Find(name, framework);
        string folder = Path.Combine(Repository.Artifacts, "dumps", $"{name}-{framework}{(isOptimised ? "-optimised" : string.Empty)}");
        Directory.CreateDirectory(folder);
        using FileStream mine = await FileGate.EnterAsync(Path.Combine(folder, "lock"), cancellation);
        string core = Path.Combine(folder, $"{type}.core");
        string output = Path.ChangeExtension(core, ".out.txt");
        string stamp = Path.ChangeExtension(core, ".stamp");

        // What was built anew has other symbols, though its sources are the same.
        string built = File.GetLastWriteTimeUtc(program + ".dll").Ticks.ToString(CultureInfo.InvariantCulture);
        string sources = $"{DotNetPrograms.HashOf(DotNetPrograms.SourcesOf(project))} {built}";
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            // The stamp is written last, so a dump that was broken off does not count.
            File.Delete(stamp);
            File.Delete(core);
            await File.WriteAllLinesAsync(output,
                await DumpTool.DumpAsync(isOptimised
                    ? OptimisedCode.Start(program)
                    : new ProcessStartInfo(program), [(type, core)], cancellation), cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return new DumpedProcess(core, await File.ReadAllLinesAsync(output, cancellation), program);
    }
}
