namespace HangTriage.Cli.Commands;

/// <summary>What several commands say of their exit codes in their help.</summary>
internal static class ExitCodeLines
{
    public const string Hang = "1   a hang was found, and nothing else gives 1";
    public const string Inconclusive = "2   inconclusive: what is needed was not in the input";
    public const string Usage = "64  the command line cannot be carried out";
    public const string Input = "65  the input cannot be read";
    public const string RuleFailed = "70  a rule failed (the report is written), or the tool did";
    public const string Failed = "70  the tool failed";
    public const string Output = "73  the output cannot be written";
    public const string Interrupted = "130 stopped with Ctrl+C";
}
