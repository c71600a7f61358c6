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

        Run(string.Concat(parts.Select(part => $";{part.Name}")) + ";");
        foreach (PreparedPart part in parts)
        {
            part.End();
        }
    }

    private static void Run(string names)
    {
        // A semicolon of the command line would end the property's value.
        string escaped = names.Replace(";", "%3B", StringComparison.Ordinal);
        ProcessStartInfo start = new(
            "dotnet",
            [
                "msbuild", Path.Combine(Repository.Root, "tests", "Targets", "Prepare.proj"), "-maxCpuCount:2", "-nodeReuse:false", "-nologo", "-verbosity:quiet",
                $"-p:Parts={escaped}", $"-p:System={RuntimeIdentifier()}",
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

#pragma warning disable CA1308 // Runtime identifiers are written in small letters.
    private static string RuntimeIdentifier() => $"linux-{RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()}";
#pragma warning restore CA1308
}
