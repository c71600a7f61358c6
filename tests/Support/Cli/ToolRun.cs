namespace HangTriage.Tests.Support.Cli;

/// <summary>What one run of the tool said and returned.</summary>
public sealed record ToolRun(int ExitCode, string Out, string Error)
{
    public override string ToString() => $"exit {ExitCode}\n--- stdout\n{Out}\n--- stderr\n{Error}";
}
