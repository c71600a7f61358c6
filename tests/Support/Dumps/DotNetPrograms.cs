using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// The .NET programs that are dumped, the samples among them, published for this system: all at once for a framework, into
/// one folder, by tests/Targets/Programs.proj. Shared by all test assemblies; published again when a source changes.
/// </summary>
public static class DotNetPrograms
{
    private static readonly string s_folder = Path.Combine(Repository.Artifacts, "programs");

    /// <summary>The program of that name, ready to be started.</summary>
    public static async Task<string> FindAsync(string name, TargetFramework framework, CancellationToken cancellation)
    {
        string moniker = framework.Moniker();
        string folder = Path.Combine(s_folder, moniker);
        string stamp = Path.Combine(s_folder, moniker + ".stamp");
        Directory.CreateDirectory(folder);
        using FileStream mine = await FileGate.EnterAsync(Path.Combine(s_folder, moniker + ".lock"), cancellation);
        string sources = HashOf(Sources());
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            File.Delete(stamp);
            await PublishAsync(framework, folder, cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return Path.Combine(folder, name);
    }

    /// <summary>The folder of the runtime that a program brings; null where it uses the installed one.</summary>
    public static string? RuntimeFolderOf(string program)
        => Path.GetDirectoryName(program) is { } folder && File.Exists(Path.Combine(folder, "libcoreclr.so")) ? folder : null;

    /// <summary>What the tool has to be told to read a core of the program: no path that a core names is loaded from.</summary>
    public static string[] DacOptions(string program) => RuntimeFolderOf(program) is { } folder ? ["--dac", folder] : [];

    /// <summary>Names the contents of these files, and the runtime of the tests.</summary>
    public static string HashOf(IEnumerable<string> files)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData(Encoding.UTF8.GetBytes($"{Environment.Version}"));
        foreach (string file in files.Order(StringComparer.Ordinal))
        {
            hash.AppendData(Encoding.UTF8.GetBytes(Path.GetFileName(file)));
            hash.AppendData(File.ReadAllBytes(file));
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset())[..16];
    }

    /// <summary>What a program's folder says of it, and what it may share with others.</summary>
    public static IEnumerable<string> SourcesOf(string folder)
        => Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Where(file => Path.GetExtension(file) is ".cs" or ".csproj" or ".proj")
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "samples", "Shared"), "*.cs"))
            .Append(Path.Combine(Repository.Root, "Directory.Build.props"));

    private static IEnumerable<string> Sources()
        => SourcesOf(Path.Combine(Repository.Root, "samples")).Concat(SourcesOf(Path.Combine(Repository.Root, "tests", "Targets")));

    private static async Task PublishAsync(TargetFramework framework, string folder, CancellationToken cancellation)
    {
        string moniker = framework.Moniker();
        List<string> arguments =
        [
            "msbuild", Path.Combine(Repository.Root, "tests", "Targets", "Programs.proj"), "-maxCpuCount:2", "-nodeReuse:false", "-nologo", "-verbosity:quiet",
            $"-p:SampleFramework={moniker}", $"-p:PublishDir={folder}{Path.DirectorySeparatorChar}",
            $"-p:ArtifactsPath={Path.Combine(s_folder, "build", moniker)}",
        ];
        if (framework != TargetFramework.Net10)
        {
            arguments.AddRange(["-p:SelfContained=true", $"-p:RuntimeIdentifier={RuntimeIdentifier()}"]);
        }

        await ProjectBuild.RunAsync($"the programs for {moniker}", arguments, cancellation);
    }

    private static string RuntimeIdentifier()
    {
        string architecture = RuntimeInformation.OSArchitecture.ToString();
        return "linux-" + string.Create(architecture.Length, architecture, static (span, value) => value.AsSpan().ToLowerInvariant(span));
    }
}
