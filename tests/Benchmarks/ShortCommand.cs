using System.Diagnostics;

namespace HangTriage.Benchmarks;

/// <summary>Runs a program that prepares something, and is not measured.</summary>
internal static class ShortCommand
{
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public static string Output(string program, IReadOnlyList<string> arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {output}{error.Result}");
    }
}
