using System.Security.Cryptography;
using HangTriage.Capture;
using HangTriage.Capture.Files;

namespace HangTriage.Cli;

/// <summary>Names the contents of an input, so that a ticket says which dump it is about without naming its folder.</summary>
internal static class InputHash
{
    // A few seconds of reading; the report of a larger dump does without.
    private const long LargestFile = 4L << 30;

    /// <summary>"sha256 ..."; null where it is no file, cannot be read or is very large.</summary>
    public static string? Of(string? path)
    {
        try
        {
            if (path is null || !File.Exists(path) || new FileInfo(path) is not { Length: > 0 and <= LargestFile })
            {
                return null;
            }

            using FileStream file = PlainFile.OpenStream(path);
            return "sha256 " + Convert.ToHexStringLower(SHA256.HashData(file));
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
