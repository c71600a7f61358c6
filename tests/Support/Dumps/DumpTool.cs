using System.Diagnostics;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>Starts programs for the fixtures and waits for them, each with a bound.</summary>
internal static class DumpTool
{
    private static readonly TimeSpan s_buildTime = TimeSpan.FromMinutes(4);
    private static readonly TimeSpan s_readyTime = TimeSpan.FromSeconds(60);

    /// <summary>Builds a project into a folder of its own and returns the program.</summary>
    public static async Task<string> BuildAsync(string project, TargetFramework framework, string folder, CancellationToken cancellation)
    {
        string version = framework switch
        {
            TargetFramework.Net8 => "net8.0",
            TargetFramework.Net9 => "net9.0",
            _ => "net10.0",
        };
        string program = Path.Combine(folder, "app", Path.GetFileName(project));
        List<string> arguments =
        [
            "publish", project, "--configuration", "Debug", "--output", Path.GetDirectoryName(program)!,
            $"-p:SampleFramework={version}", $"-p:ArtifactsPath={Path.Combine(folder, "build")}", "--disable-build-servers", "--nologo",
        ];
        if (framework != TargetFramework.Net10)
        {
            string architecture = System.Runtime.InteropServices.RuntimeInformation.OSArchitecture.ToString();
            arguments.AddRange(["--self-contained", "--runtime", $"linux-{LowerCase(architecture)}"]);
        }

        ProcessStartInfo start = new("dotnet", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        using CancellationTokenSource bound = Bound(s_buildTime, cancellation);
        using Process build = Process.Start(start)!;
        Task<string> errors = build.StandardError.ReadToEndAsync(bound.Token);
        string output = await build.StandardOutput.ReadToEndAsync(bound.Token);
        await build.WaitForExitAsync(bound.Token);
        return build.ExitCode == 0
            ? program
            : throw new InvalidOperationException($"building {Path.GetFileName(project)} for {version} failed:\n{output}{await errors}");
    }

    /// <summary>Starts the program, waits for its READY line, dumps it, ends it; returns what it printed.</summary>
    public static async Task<IReadOnlyList<string>> DumpAsync(string program, DumpType type, string corePath, CancellationToken cancellation)
    {
        // Its input stays open and empty, so that a program that reads it waits.
        ProcessStartInfo start = new(program) { RedirectStandardInput = true, RedirectStandardOutput = true };
        using CancellationTokenSource bound = Bound(s_readyTime, cancellation);
        using Process process = Process.Start(start)!;
        try
        {
            List<string> lines = [];
            while (lines.Count == 0 || !lines[^1].StartsWith("READY", StringComparison.Ordinal))
            {
                lines.Add(await process.StandardOutput.ReadLineAsync(bound.Token)
                    ?? throw new InvalidOperationException($"{Path.GetFileName(program)} ended before it was ready"));
            }

            await new DiagnosticsClient(process.Id).WriteDumpAsync(type, corePath, logDumpGeneration: false, bound.Token);
            return lines;
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    private static CancellationTokenSource Bound(TimeSpan time, CancellationToken cancellation)
    {
        CancellationTokenSource bound = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        bound.CancelAfter(time);
        return bound;
    }

    private static string LowerCase(string text) => string.Create(text.Length, text, static (span, value) => value.AsSpan().ToLowerInvariant(span));
}
