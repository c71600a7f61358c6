using System.Globalization;
using HangTriage.Capture.Live;
using HangTriage.Capture.Targets;

namespace HangTriage.Cli.Live;

/// <summary>Finds the process that the user means.</summary>
internal static class LiveTarget
{
    /// <summary>Null where the text is no process id.</summary>
    public static int? IdOf(string text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id > 0 ? id : null;

    /// <summary>The id of the one process of that id or name.</summary>
    /// <exception cref="UsageException">No process has the name, or several have.</exception>
    public static int Find(string text)
    {
        if (IdOf(text) is int id)
        {
            return id;
        }

        IReadOnlyList<ProcessEntry> found = Processes.Named(text);
        return found.Count switch
        {
            1 => found[0].Id,
            0 => throw new UsageException($"No process is called {text}; 'triage ps' lists those that run."),
            _ => throw new SeveralProcessesException(text, found),
        };
    }

    /// <summary>The target of a command that takes files and processes: a file of that name goes first.</summary>
    public static int? IdUnlessFile(string text) => Path.Exists(text) ? null : IdOf(text);
}
