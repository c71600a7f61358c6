using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Benchmarks;

/// <summary>The full core of Targets/BigHeap: 500 threads, 8.5 million objects, 200,000 dictionaries, 1.5 GB.</summary>
internal static class ManagedCore
{
    private static string Project => Path.Combine(Repository.Root, "tests", "Benchmarks", "Targets", "BigHeap");

    public static string Make(TextWriter progress)
    {
        progress.WriteLine("making the core, if there is none");
        return CoreDumps.OfProjectAsync(Project, TargetFramework.Net10, DumpType.Full, CancellationToken.None).GetAwaiter().GetResult().CorePath;
    }

    public static void Delete()
    {
        foreach (string folder in Directory.Exists(Path.Combine(Repository.Artifacts, "dumps"))
            ? Directory.GetDirectories(Path.Combine(Repository.Artifacts, "dumps"), "BigHeap-*")
            : [])
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
