using System.Diagnostics;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Verdicts;

/// <summary>A build of the tool, wherever it lies, run as a process each time.</summary>
/// <param name="program">The program, or its triage.dll.</param>
public sealed class AnyTool(string program) : IToolRunner
{
    /// <summary>The build of the running tests.</summary>
    public static AnyTool OfTests { get; } = new(Tool.Assembly);

    public ToolRun Run(string[] arguments, TimeSpan limit)
    {
        bool isAssembly = program.EndsWith(".dll", StringComparison.Ordinal);
        ProcessStartInfo start = new(isAssembly ? "dotnet" : program, isAssembly ? [program, .. arguments] : arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        start.Environment.Remove("TRIAGE_DEBUG");
        start.Environment.Remove("_NT_SYMBOL_PATH");
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        bool hasEnded = RunLimit.Wait(process, process.WaitForExit, limit);
        if (!hasEnded)
        {
            process.Kill(entireProcessTree: true);
        }

        return new ToolRun(hasEnded ? process.ExitCode : IToolRunner.TimedOut, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }
}
