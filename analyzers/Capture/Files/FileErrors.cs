namespace HangTriage.Capture.Files;

/// <summary>Why a file could not be opened, in one line without its path.</summary>
internal static class FileErrors
{
    public static string Describe(Exception error) => error switch
    {
        FileNotFoundException or DirectoryNotFoundException => "there is no such file",
        UnauthorizedAccessException => "the file may not be read (access denied)",
        PathTooLongException => "the path is too long",
        ArgumentException or NotSupportedException => "this is not the path of a file",
        _ => $"the file cannot be read (error 0x{error.HResult:x8})",
    };
}
