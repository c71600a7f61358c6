namespace HangTriage.Cli.Running;

/// <summary>What the user says of a command that is watched.</summary>
/// <param name="Command">The program and its arguments.</param>
/// <param name="HangAfter">How long its processes may write nothing before they are looked at.</param>
/// <param name="Timeout">How long it may take in all; null for as long as it likes.</param>
/// <param name="Folder">Where reports go; null for nowhere but the log.</param>
/// <param name="IsDumped">A dump of the process that hangs goes there, too.</param>
internal sealed record RunChoices(IReadOnlyList<string> Command, TimeSpan HangAfter, TimeSpan? Timeout, string? Folder, bool IsDumped)
{
    public const string DumpFile = "process.core";
}
