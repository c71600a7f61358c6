using System.Diagnostics;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// Starts a sample so that it warms up before it hangs (samples/Shared/Warmth.cs). The runtime keeps a map of the code that it compiles,
/// in which each piece has its tier.
/// </summary>
public static class WarmCode
{
    private const string Maps = "perf-*.map";

    /// <param name="program">The program.</param>
    /// <param name="folder">Where its map is written; those of others are deleted.</param>
    public static ProcessStartInfo Start(string program, string folder)
    {
        foreach (string old in Directory.EnumerateFiles(folder, Maps))
        {
            File.Delete(old);
        }

        return new ProcessStartInfo(program)
        {
            // 3: the map alone, without a record of each piece of code.
            Environment = { ["SAMPLE_WARM"] = "1", ["DOTNET_PerfMapEnabled"] = "3", ["DOTNET_PerfMapJitDumpPath"] = folder },
        };
    }

    /// <summary>The map of the program that was started last.</summary>
    public static CompiledCode Map(string folder) => CompiledCode.Parse(File.ReadLines(Directory.EnumerateFiles(folder, Maps).Single()));
}
