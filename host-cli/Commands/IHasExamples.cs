namespace HangTriage.Cli.Commands;

internal interface IHasExamples
{
    /// <summary>Command lines for the help, the simplest first.</summary>
    IReadOnlyList<string> Examples { get; }

    /// <summary>What the exit codes mean, for commands that have more than success and failure.</summary>
    IReadOnlyList<string> ExitCodes => [];
}
