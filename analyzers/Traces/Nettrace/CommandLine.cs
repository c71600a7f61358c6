namespace HangTriage.Traces.Nettrace;

/// <summary>Tells what runs from the command line that a recording has; the rest of it stays out of reports.</summary>
internal static class CommandLine
{
    /// <summary>The program's file name; of what <c>dotnet</c> runs, that of the assembly. Null where there is none.</summary>
    public static string? ProgramOf(string? line)
    {
        (string first, string rest) = Next(line ?? string.Empty);
        string name = FileOf(first);
        if (!Path.GetFileNameWithoutExtension(name).Equals("dotnet", StringComparison.OrdinalIgnoreCase))
        {
            return name.Length > 0 ? name : null;
        }

        (string second, string behind) = Next(rest);
        string assembly = FileOf(second == "exec" ? Next(behind).Word : second);
        return assembly.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? assembly : name;
    }

    private static string FileOf(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private static (string Word, string Behind) Next(string line)
    {
        string text = line.TrimStart();
        bool isQuoted = text.StartsWith('"');
        int end = isQuoted ? text.IndexOf('"', 1) : text.IndexOf(' ', StringComparison.Ordinal);
        return end < 0 ? (text.Trim('"'), string.Empty) : (text[(isQuoted ? 1 : 0)..end], text[(end + 1)..]);
    }
}
