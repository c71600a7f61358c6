using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using HangTriage.Cli.Commands;

namespace HangTriage.Cli.Commands;

/// <summary>The parser's help, with the command's examples below.</summary>
internal sealed class HelpWithExamples(HelpAction help) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        help.Invoke(parseResult);
        if (parseResult.CommandResult.Command is IHasExamples command)
        {
            TextWriter output = parseResult.InvocationConfiguration.Output;
            Write(output, "Exit codes:", command.ExitCodes);
            Write(output, "Examples:", command.Examples);
        }

        return ExitCode.Done;
    }

    private static void Write(TextWriter output, string heading, IReadOnlyList<string> lines)
    {
        if (lines.Count == 0)
        {
            return;
        }

        output.WriteLine(heading);
        foreach (string line in lines)
        {
            output.WriteLine("  " + line);
        }

        output.WriteLine();
    }
}
