using System.Security.Cryptography;
using System.Text;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// Makes dumps of the sample programs, once: they are kept under artifacts/dumps by a hash of the sources and the runtime,
/// shared by all test assemblies, and replaced when either changes. Never committed: a runtime update makes new ones.
/// </summary>
public static class CoreDumps
{
    public static Task<DumpedProcess> OfSampleAsync(string sample, TargetFramework framework, DumpType type, CancellationToken cancellation)
        => OfProjectAsync(Repository.Sample(sample), framework, type, cancellation);

    /// <param name="project">The folder of a program that prints READY as its last line when its state is reached.</param>
    /// <param name="framework">What it runs on; the project takes it as the property SampleFramework.</param>
    /// <param name="type">How much the dump holds.</param>
    /// <param name="cancellation">The test's.</param>
    public static async Task<DumpedProcess> OfProjectAsync(string project, TargetFramework framework, DumpType type, CancellationToken cancellation)
    {
        string kind = $"{Path.GetFileName(project)}-{framework}";
        string folder = Path.Combine(Repository.Artifacts, "dumps", $"{kind}-{Key(project, framework)}");
        Directory.CreateDirectory(folder);
        using FileStream mine = await LockAsync(Path.Combine(folder, "lock"), cancellation);

        string built = Path.Combine(folder, "built");
        if (!File.Exists(built))
        {
            RemoveOlder(kind, folder);
            string path = await DumpTool.BuildAsync(project, framework, folder, cancellation);
            await File.WriteAllTextAsync(built, Path.GetRelativePath(folder, path), cancellation);
        }

        string program = Path.Combine(folder, await File.ReadAllTextAsync(built, cancellation));
        string core = Path.Combine(folder, $"{type}.core");
        string output = Path.ChangeExtension(core, ".out.txt");
        if (!File.Exists(output))
        {
            // The output is written last, so a dump that was broken off does not count.
            File.Delete(core);
            IReadOnlyList<string> lines = await DumpTool.DumpAsync(program, type, core, cancellation);
            await File.WriteAllLinesAsync(output, lines, cancellation);
        }

        return new DumpedProcess(core, await File.ReadAllLinesAsync(output, cancellation), program);
    }

    private static string Key(string project, TargetFramework framework)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(Encoding.UTF8.GetBytes($"{framework} {Environment.Version}"));
        IEnumerable<string> sources = Directory.EnumerateFiles(project, "*", SearchOption.AllDirectories)
            .Where(file => file.EndsWith(".cs", StringComparison.Ordinal) || file.EndsWith(".csproj", StringComparison.Ordinal))
            .Append(Path.Combine(Repository.Root, "Directory.Build.props"))
            .Order(StringComparer.Ordinal);
        foreach (string file in sources)
        {
            hash.AppendData(Encoding.UTF8.GetBytes(Path.GetFileName(file)));
            hash.AppendData(File.ReadAllBytes(file));
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset())[..16];
    }

    private static void RemoveOlder(string kind, string current)
    {
        foreach (string older in Directory.EnumerateDirectories(Path.GetDirectoryName(current)!, kind + "-*").Where(folder => folder != current))
        {
            try
            {
                Directory.Delete(older, recursive: true);
            }
            catch (IOException)
            {
                // Another test run still uses it.
            }
        }
    }

    private static async Task<FileStream> LockAsync(string path, CancellationToken cancellation)
    {
        while (true)
        {
            try
            {
                return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(100), cancellation);
            }
        }
    }
}
