using Microsoft.Diagnostics.DebugServices;

namespace HangTriage.DotnetDump;

/// <summary>Finds the file of a dump. No service of the hosts names it; the text that describes the target ends with it.</summary>
internal static class DumpFile
{
    private const string BeforePath = "ProcessId: ";

    /// <summary>Null where the target is no dump, or its file is not named.</summary>
    public static string? Of(ITarget target)
    {
        // "Target OS: LINUX Architecture: X64 ProcessId: 4711 (0x1267) /dumps/core.4711"; "<none>" where the process id is not known.
        string text = target.ToString() ?? string.Empty;
        int at = text.IndexOf(BeforePath, StringComparison.Ordinal);
        if (!target.IsDump || at < 0)
        {
            return null;
        }

        string process = target.ProcessId is { } id ? $"{id} (0x{id:X}) " : "<none> ";
        string rest = text[(at + BeforePath.Length)..];
        return rest.StartsWith(process, StringComparison.Ordinal) && Path.IsPathFullyQualified(rest[process.Length..]) && File.Exists(rest[process.Length..])
            ? rest[process.Length..]
            : null;
    }
}
