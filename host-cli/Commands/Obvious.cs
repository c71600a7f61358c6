using HangTriage.Cli.Live;
using HangTriage.Capture.Targets;
using HangTriage.Traces.Files;

namespace HangTriage.Cli.Commands;

/// <summary>Puts the command in front where the user names only what to look at.</summary>
internal static class Obvious
{
    public static string[] Of(string[] args)
        => args is not [{ Length: > 0 } first, ..] || first.StartsWith('-') || TriageRoot.CommandNames.Contains(first) ? args
            : File.Exists(first) ? [TraceFile.IsTrace(first) ? TraceCommand.CommandName : "analyze", .. args]
            : LiveTarget.IdOf(first) is not null || Processes.Named(first).Count > 0 ? [AttachCommand.CommandName, .. args]
            : Directory.Exists(first) ? ["analyze", .. args]
            : args;
}
