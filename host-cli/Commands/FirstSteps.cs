namespace HangTriage.Cli.Commands;

/// <summary>What somebody can have at hand who meets a hang, and the command for each.</summary>
internal static class FirstSteps
{
    public static IReadOnlyList<string> Lines { get; } =
    [
        "I have a core of Linux:          run triage analyze core.1234",
        "I have a minidump of Windows:    run triage analyze hung.dmp",
        "I have a process that hangs now: run triage attach 1234 (triage ps lists them)",
        "I have a command that hangs:     run triage run -- dotnet test",
        "I have a trace:                  run triage trace slow.etl",
        "I have a report to keep:         run triage report hung.dmp -o incident.html",
    ];
}
