using System.CommandLine;

namespace HangTriage.Cli.Commands;

/// <summary>Arguments and options that several commands take; each command gets its own.</summary>
internal static class SharedOptions
{
    public static IReadOnlyList<string> VerdictExitCodes { get; } =
    [
        "0   no hang",
        ExitCodeLines.Hang,
        ExitCodeLines.Inconclusive,
        ExitCodeLines.Usage,
        ExitCodeLines.Input,
        ExitCodeLines.RuleFailed,
        ExitCodeLines.Output,
        ExitCodeLines.Interrupted,
    ];

    public static Argument<string> Target(bool orProcess = false)
        => NotEmpty(new Argument<string>("TARGET")
        {
            Description = orProcess ? "A minidump, an ELF core, a .facts.json file, or the id of a process (Linux)." : "A minidump, an ELF core, or a .facts.json file.",
        });

    /// <summary>Several inputs, each of which is a file or a folder of files.</summary>
    public static Argument<string[]> Targets()
        => NotEmpty(new Argument<string[]>("TARGET")
        {
            Description = "A minidump, an ELF core, or a .facts.json file. A folder stands for all of them in it, such as the results of a test run: "
                + "the tests that its records say had not ended are listed, and dumps of a time limit are judged with --hung.",
            Arity = ArgumentArity.OneOrMore,
        });

    /// <param name="otherwise">What it is where neither the option nor the name of the output says it.</param>
    /// <param name="formats">Those that the command has; all where it names none.</param>
    public static Option<string?> Format(string otherwise = ReportFormat.Text, IReadOnlyList<string>? formats = null)
    {
        formats ??= ReportFormat.All;
        string known = $"{string.Join(", ", formats.SkipLast(1))} or {formats[^1]}";
        Option<string?> format = new("--format", "-f")
        {
            Description = $"How to write the report. Without it, the name of the output says it (.txt, .md, .html, .json); else {otherwise}.",
            HelpName = string.Join('|', formats),
        };
        format.CompletionSources.Add([.. formats]);
        format.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value: string value }] && !formats.Contains(value))
            {
                result.AddError($"--format is {known}, not '{value}'.{DidYouMean.Of(value, formats)}");
            }
        });
        return format;
    }

    public static Option<string?> Output()
        => new("--output", "-o") { Description = "Write the report to this file; - is standard output.", HelpName = "FILE" };

    public static Option<string[]> Earlier()
        => new("--earlier")
        {
            Description = "An earlier capture of the same process: what was in the same loop or the same wait then is surer now. "
                + "May be given several times, the oldest first; where the captures record their times, in any order.",
            HelpName = "FILE",
            DefaultValueFactory = _ => [],
        };

    public static Option<string?> Trace()
        => new("--trace")
        {
            Description = "A trace of the same time (.etl, .nettrace, or the text of 'perf script'): it says who ran and who waited when. It is left out, and the reason told, where it is of another process.",
            HelpName = "FILE",
        };

    public static Option<bool> Hung()
        => new("--hung")
        {
            Description = "You know that the process hangs: it is never called healthy, and where nothing is proven the best suspect is the verdict (possible).",
        };

    public static Option<bool> Quiet()
        => new("--quiet", "-q") { Description = "No progress, and no line about the file that was written." };

    public static Option<bool> Verbose()
        => new("--verbose", "-v") { Description = "All of the text report: every stack and thread, and all that is not in the input." };

    private static Argument<T> NotEmpty<T>(Argument<T> argument)
    {
        argument.Validators.Add(result =>
        {
            if (result.Tokens.Any(token => token.Value.Length == 0))
            {
                result.AddError($"{argument.Name} is empty.");
            }
        });
        return argument;
    }
}
