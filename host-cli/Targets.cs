using HangTriage.Capture;
using HangTriage.Facts;

namespace HangTriage.Cli;

/// <summary>Opens what the user named, whatever its extension says.</summary>
internal static class Targets
{
    /// <exception cref="TargetOpenException">The target cannot be read.</exception>
    public static ProcessSnapshot Capture(string path, CaptureContext context)
    {
        context.Cancellation.ThrowIfCancellationRequested();
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return FactsFile.Read(file);
        }
        catch (InvalidDataException e)
        {
            throw new TargetOpenException(e.Message, e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new TargetOpenException("no such file", e);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new TargetOpenException(Directory.Exists(path) ? "is a folder" : "access denied", e);
        }
    }
}
