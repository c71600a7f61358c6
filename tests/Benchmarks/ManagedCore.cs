using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Benchmarks;

/// <summary>
/// The full core of Targets/BigHeap: 500 threads, 8.5 million objects, 200,000 dictionaries, 1.5 GB. Made once, kept until
/// <c>clean</c>.
/// </summary>
internal static class ManagedCore
{
    private static string Project => Path.Combine(Repository.Root, "tests", "Benchmarks", "Targets", "BigHeap");

    public static string Make(TextWriter progress)
    {
        string core = Path.Combine(Benchmarks.Folder, "big-heap.core");
        if (!File.Exists(core) || File.GetLastWriteTimeUtc(core) < Directory.EnumerateFiles(Project).Max(File.GetLastWriteTimeUtc))
        {
            progress.WriteLine("making big-heap.core");
            string program = Path.Combine(Benchmarks.Folder, "big-heap");
            PublishedTool.Publish(Project, program);
            DumpTool.DumpAsync(Path.Combine(program, "BigHeap"), [(DumpType.Full, core + ".new")], CancellationToken.None).GetAwaiter().GetResult();
            File.Move(core + ".new", core, overwrite: true);
        }

        return core;
    }
}
