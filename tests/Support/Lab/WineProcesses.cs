namespace HangTriage.Tests.Support.Lab;

/// <summary>
/// What runs under Wine, as Linux lists it: each Windows process is one of Linux, and not below the one that had it started.
/// The lab's scripts are among them: one can wait for what another builds.
/// </summary>
public static class WineProcesses
{
    private const string Folder = "/usr/lib/wine/";
    private const string Script = "/lab.sh";

    /// <summary>All of them, and these.</summary>
    public static IEnumerable<int> And(params int[] others) => Directory.EnumerateDirectories("/proc").Select(IdOf).OfType<int>().Concat(others);

    private static int? IdOf(string folder)
    {
        try
        {
            return int.TryParse(Path.GetFileName(folder), out int id) && (IsWine(folder) || IsScript(folder)) ? id : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It has ended, or is not ours.
            return null;
        }
    }

    private static bool IsWine(string folder) => new FileInfo(Path.Combine(folder, "exe")).LinkTarget?.StartsWith(Folder, StringComparison.Ordinal) == true;

    private static bool IsScript(string folder) => File.ReadAllText(Path.Combine(folder, "cmdline")).Split('\0').Any(word => word.EndsWith(Script, StringComparison.Ordinal));
}
