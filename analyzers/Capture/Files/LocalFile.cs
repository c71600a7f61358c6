namespace HangTriage.Capture.Files;

/// <summary>
/// Which of the files that a target names may be opened on this machine: a dump names whatever it likes. What is opened
/// counts only once its id is the one that the target names, too.
/// </summary>
internal static class LocalFile
{
    private static readonly string[] s_noFiles = ["/dev/", "/proc/", "/sys/"];

    /// <summary>An ordinary file on a disk of this machine, not larger than that. Asks no network, and never throws.</summary>
    public static bool IsFit(string path, long limit)
    {
        try
        {
            // A path with two separators in front leads to another machine on Windows, and asking for it sends a password's hash there.
            if (path.Length < 2 || !Path.IsPathFullyQualified(path) || (path[0] is '/' or '\\' && path[1] is '/' or '\\'))
            {
                return false;
            }

            string full = Path.GetFullPath(path);
            if (s_noFiles.Any(folder => full.StartsWith(folder, StringComparison.Ordinal)) || !IsOnDisk(full))
            {
                return false;
            }

            FileInfo file = new(full);
            return file.Exists && file.Length > 0 && file.Length <= limit && !(OperatingSystem.IsWindows() && file.LinkTarget is not null);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return false;
        }
    }

    private static bool IsOnDisk(string path)
        => !OperatingSystem.IsWindows()
            || (Path.GetPathRoot(path) is { Length: > 0 } root && new DriveInfo(root).DriveType is DriveType.Fixed or DriveType.Removable or DriveType.Ram);
}
