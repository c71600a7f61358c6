using System.Diagnostics;
using System.Runtime.InteropServices;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Prepare;

/// <summary>Makes parts of Prepare.proj (tests/Targets), all in one build.</summary>
internal static class ProgramBuild
{
    /// <summary>Returns when they are made; throws with what the build printed where it fails.</summary>
    public static void Make(IReadOnlyList<PreparedPart> parts)
    {
        if (parts.Count == 0)
        {
            return;
        }

        foreach (PreparedPart part in parts)
        {
            part.Begin();
        }

        Run(parts);
        foreach (PreparedPart part in parts)
        {
            part.End();
        }
    }

    private static void Run(IReadOnlyList<PreparedPart> parts)
    {
        ProcessStartInfo start = new(
            "dotnet",
            [
                "msbuild", Path.Combine(Repository.Root, "tests", "Targets", "Prepare.proj"), "-maxCpuCount:2", "-nodeReuse:false", "-nologo", "-verbosity:quiet",
                $"-p:Parts={List(parts.Select(part => part.Name))}", $"-p:System={RuntimeIdentifier()}",
                .. parts.Where(part => part.Wanted.Count > 0).Select(part => $"-p:Only-{part.Name.Replace('.', '-')}={List(part.Wanted)}"),
            ])
        {
            RedirectStandardOutput = true,
        };
        foreach (string name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        using Process build = Process.Start(start)!;
        string output = build.StandardOutput.ReadToEnd();
        build.WaitForExit();
        if (build.ExitCode != 0)
        {
            throw new InvalidOperationException($"what tests start does not build:\n{output}");
        }
    }

    // A bare semicolon of the command line would end the property's value.
    private static string List(IEnumerable<string> names) => string.Join("%3B", names);

#pragma warning disable CA1308 // Runtime identifiers are written in small letters.
    private static string RuntimeIdentifier() => $"linux-{RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}";
#pragma warning restore CA1308
}
