using System.Diagnostics;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Cli;

/// <summary>Runs the built tool as a process.</summary>
public static class Tool
{
    // Of processor time, with all that it starts.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);

    /// <summary>The tool of the sources that the running tests are of.</summary>
    public static string Assembly { get; } = PublishedTool.Assembly ?? Path.Combine(
        Repository.Artifacts, "bin", "triage", Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)), "triage.dll");

    public static ToolRun Run(params string[] arguments) => Run(arguments, folder: null);

    public static ToolRun Run(string[] arguments, string? folder, params (string Name, string Value)[] environment)
    {
        using Process process = Start(arguments, folder, environment);
        return Finish(process);
    }

    public static Process Start(string[] arguments, string? folder, params (string Name, string Value)[] environment)
    {
        Process process = StartWithInput(arguments, folder, environment);
        process.StandardInput.Close();
        return process;
    }

    /// <summary>Its standard input is the caller's to write and to close.</summary>
    public static Process StartWithInput(string[] arguments, string? folder, params (string Name, string Value)[] environment)
    {
        // A shell that runs a test in the background has its children ignore SIGINT; a user's terminal does not.
        ProcessStartInfo start = OperatingSystem.IsLinux()
            ? new ProcessStartInfo("env", ["--default-signal=INT", "dotnet", Assembly, .. arguments])
            : new ProcessStartInfo("dotnet", [Assembly, .. arguments]);
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.RedirectStandardInput = true;
        start.WorkingDirectory = folder ?? string.Empty;
        start.Environment.Remove("TRIAGE_DEBUG");
        start.Environment.Remove("_NT_SYMBOL_PATH");
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    /// <summary>Waits for the end, and kills the process if it does not come: it stands still for minutes, or computes for ever.</summary>
    public static ToolRun Finish(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (RunLimit.WhyNot(process, process.WaitForExit, s_limit) is { } why)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"The tool did not end: {why}.");
        }

        return new ToolRun(process.ExitCode, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }
}
