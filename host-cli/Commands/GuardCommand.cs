using System.CommandLine;
using HangTriage.Cli.Live;

namespace HangTriage.Cli.Commands;

/// <summary>Resumes what a killed process of this tool left suspended (Windows). Started by <see cref="GuardianProcess"/> alone.</summary>
internal sealed class GuardCommand : Command
{
    public GuardCommand()
        : base(GuardianProcess.Command, "Guard a process that suspends another.")
    {
        Hidden = true;
        SetAction(_ =>
        {
            GuardianProcess.Guard(Console.In, Console.Out);
            return ExitCode.Done;
        });
    }
}
