using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>The threads of a process, as /proc/PID/task lists them.</summary>
internal static class TaskFolder
{
    /// <summary>Empty where the process is gone.</summary>
    public static IReadOnlyList<int> Ids(int process)
    {
        List<int> ids = [];
        try
        {
            foreach (string folder in Directory.EnumerateDirectories($"/proc/{process}/task"))
            {
                if (int.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out int id))
                {
                    ids.Add(id);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It ended while it was listed.
        }

        return ids;
    }
}
