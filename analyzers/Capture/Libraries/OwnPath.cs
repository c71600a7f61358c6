using System.Runtime.Versioning;

namespace HangTriage.Capture.Libraries;

/// <summary>Files that only root and this user can change: no folder above them and no link to them is another's.</summary>
[SupportedOSPlatform("linux")]
internal static class OwnPath
{
    private static readonly uint s_user = FileStatus.CurrentUser;

    /// <summary>The file's own path, without links; null where there is no ordinary file, or somebody else can change it.</summary>
    /// <param name="path">From the root.</param>
    /// <param name="whyNot">Who can change it; null where there is no such file, or only root and this user can.</param>
    public static string? ToFile(string path, out string? whyNot) => PathWalk.ToFile(path, Refusal, out whyNot);

    private static string? Refusal(string path, FileStatus status)
        => status.Owner != 0 && status.Owner != s_user ? $"{ShellWord.Of(path)} belongs to another user"
            : !status.IsLink && status.OthersCanWrite ? $"others can write to {ShellWord.Of(path)}"
            : null;
}
