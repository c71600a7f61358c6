using System.Security.Cryptography;
using System.Text;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>The .NET programs that are dumped, the samples among them, published for this system: all of a framework in one folder.</summary>
public static class DotNetPrograms
{
    public static IReadOnlyDictionary<TargetFramework, PreparedPart> Parts { get; } = TargetFrameworks.All.ToDictionary(
        framework => framework,
        framework => new PreparedPart($"programs-{framework.Moniker()}", Path.Combine("programs", framework.Moniker()), Sources)
        {
            InGate = GatePrograms.On(framework),
        });

    /// <summary>
    /// The samples that warm up (samples/Shared/Warmth.cs), built for release: the JIT never optimises what is built for debugging.
    /// </summary>
    public static PreparedPart Optimised { get; } =
        new("programs-optimised", Path.Combine("programs", "optimised"), () => SourcesOf(Path.Combine(Repository.Root, "samples")))
        {
            InGate = GatePrograms.Warm,
        };

    /// <summary>The program of that name, ready to be started.</summary>
    public static string Find(string name, TargetFramework framework) => Parts[framework].Find(name);

    /// <summary>The same of <see cref="Optimised"/>, on the newest .NET.</summary>
    public static string FindOptimised(string name) => Optimised.Find(name);

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
}
