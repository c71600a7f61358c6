using System.Diagnostics;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>Builds a project from a test, as a process of its own.</summary>
public static class ProjectBuild
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(8);

    /// <summary>Runs dotnet with these arguments; throws with what it printed where it fails.</summary>
    /// <param name="what">What is built, for the message.</param>
    /// <param name="arguments">Of dotnet.</param>
    /// <param name="cancellation">The test's.</param>
    public static async Task RunAsync(string what, IEnumerable<string> arguments, CancellationToken cancellation)
    {
        ProcessStartInfo start = new("dotnet", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (string name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        using CancellationTokenSource bound = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        bound.CancelAfter(s_limit);
        using Process build = Process.Start(start)!;
        Task<string> errors = build.StandardError.ReadToEndAsync(bound.Token);
        string output = await build.StandardOutput.ReadToEndAsync(bound.Token);
        await build.WaitForExitAsync(bound.Token);
        if (build.ExitCode != 0)
        {
            throw new InvalidOperationException($"publishing {what} failed:\n{output}{await errors}");
        }
    }
}
