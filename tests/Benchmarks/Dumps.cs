using System.IO.Compression;
using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The dumps to measure with: made once, kept until <c>clean</c>.</summary>
/// <param name="folder">Where they lie.</param>
/// <param name="progress">Says what takes long.</param>
internal sealed class Dumps(string folder, TextWriter progress)
{
    private const string Full = "0x1806";

    private static string Source => Path.Combine(Repository.Root, "tests", "Benchmarks", "Targets", "ManyThreads", "main.c");

    /// <summary>The dump of a loader lock hang that comes with the project.</summary>
    public string Published()
    {
        string packed = Repository.Sample("LoaderLockSpin", "hang.dmp.gz");
        return Made("published.dmp", packed, path =>
        {
            using FileStream source = File.OpenRead(packed);
            using GZipStream unpacked = new(source, CompressionMode.Decompress);
            using FileStream target = File.Create(path);
            unpacked.CopyTo(target);
        });
    }

    /// <summary>A full dump of a native program with so much memory and so many threads.</summary>
    public string ManyThreads(int megabytes, int threads)
        => Made($"threads-{threads}-megabytes-{megabytes}.dmp", Source, path =>
            Lab.Output(["dump", Program(), Full, path, "--", $"{megabytes}", $"{threads}"]));

    /// <summary>A full dump of a .NET sample.</summary>
    public string MonitorDeadlock()
        => Made("MonitorDeadlock.dmp", Path.Combine(Repository.Root, "samples", "MonitorDeadlock", "Program.cs"), path =>
            Lab.Output(["dump", "MonitorDeadlock", Full, path]));

    public string Program() => Made("ManyThreads.exe", Source, path => ShortCommand.Output(
        "x86_64-w64-mingw32-gcc", ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-array-bounds", "-s", "-o", path, Source]));

    private string Made(string name, string from, Action<string> make)
    {
        string path = Path.Combine(Directory.CreateDirectory(folder).FullName, name);
        if (!File.Exists(path) || File.GetLastWriteTimeUtc(path) < File.GetLastWriteTimeUtc(from))
        {
            progress.WriteLine($"making {name}");
            make(path + ".new");
            File.Move(path + ".new", path, overwrite: true);
        }

        return path;
    }
}
