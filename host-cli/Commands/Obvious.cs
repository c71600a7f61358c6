using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Capture.Targets;
using HangTriage.Cli.Live;
using HangTriage.Traces.Files;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Cli.Commands;

/// <summary>Puts the command in front where the user names only what to look at.</summary>
internal static class Obvious
{
    public static string[] Of(string[] args)
        => args is not [{ Length: > 0 } first, ..] || first.StartsWith('-') || TriageRoot.CommandNames.Contains(first) ? args
            : File.Exists(first) ? [IsTrace(first) ? TraceCommand.CommandName : "analyze", .. args]
            : LiveTarget.IdOf(first) is not null || Processes.Named(first).Count > 0 ? [AttachCommand.CommandName, .. args]
            : Directory.Exists(first) ? ["analyze", .. args]
            : args;

    private static bool IsTrace(string path)
    {
        try
        {
            using SafeFileHandle file = PlainFile.Open(path);
            return TraceFile.IsTrace(file);
        }
        catch (TargetOpenException)
        {
            // Whoever opens it next says why.
            return false;
        }
    }
}
