using System.Runtime.Versioning;

namespace HangTriage.Capture.Libraries;

/// <summary>Follows a path from the root to the file that it leads to, folder by folder and link by link.</summary>
[SupportedOSPlatform("linux")]
internal static class PathWalk
{
    // As many as the kernel follows.
    private const int LinkLimit = 40;
    private const int StepLimit = 1_024;

    /// <summary>The file's own path, without links; null where there is no ordinary file, or a step is refused.</summary>
    /// <param name="path">From the root.</param>
    /// <param name="refusal">Says of every folder, link and the file at the end why it will not do; null where it will.</param>
    /// <param name="why">The refusal; null where there is no such file.</param>
    public static string? ToFile(string path, Func<string, FileStatus, string?> refusal, out string? why)
    {
        why = null;
        if (!path.StartsWith('/') || path.Contains('\0') || FileStatus.Of("/") is not { } root || (why = refusal("/", root)) is not null)
        {
            return null;
        }

        Stack<string> ahead = new();
        Push(ahead, path);
        (string at, FileStatus status) = ("/", root);
        for (int steps = 0, links = 0; ahead.TryPop(out string? name); steps++)
        {
            string next = name == ".." ? Path.GetDirectoryName(at) ?? "/" : Path.Join(at, name);
            if (steps == StepLimit || !status.IsFolder || FileStatus.Of(next) is not { } found || (why = refusal(next, found)) is not null)
            {
                return null;
            }

            if (!found.IsLink)
            {
                (at, status) = (next, found);
                continue;
            }

            if (++links > LinkLimit || TargetOf(next) is not { } target)
            {
                return null;
            }

            if (target.StartsWith('/'))
            {
                (at, status) = ("/", root);
            }

            Push(ahead, target);
        }

        return status.IsFile ? at : null;
    }

    private static void Push(Stack<string> ahead, string path)
    {
        foreach (string name in path.Split('/').AsEnumerable().Reverse().Where(name => name is not ("" or ".")).Take(StepLimit))
        {
            ahead.Push(name);
        }
    }

    private static string? TargetOf(string link)
    {
        try
        {
            return new FileInfo(link).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
