using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.Support.Verdicts;

public static class ToolRunners
{
    private const int WrongUsage = 64;
    private const int CannotRead = 65;

    /// <summary>Its report, with the arguments that a file DUMP.args beside the dump has, one in a line.</summary>
    public static ToolRun Analyze(this IToolRunner tool, string dump, string format, TimeSpan limit)
    {
        string[] extra = File.Exists(dump + ".args") ? File.ReadAllLines(dump + ".args") : [];
        ToolRun run = tool.Run(["analyze", dump, "--format", format, .. extra], limit);

        // An older build need not know the arguments, nor need them.
        return extra.Length > 0 && run.ExitCode is WrongUsage or CannotRead ? tool.Run(["analyze", dump, "--format", format], limit) : run;
    }
}
