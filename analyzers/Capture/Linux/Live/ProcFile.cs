namespace HangTriage.Capture.Linux.Live;

/// <summary>Small files of /proc.</summary>
internal static class ProcFile
{
    /// <summary>Null where there is none, or it is not for this user.</summary>
    public static string? Text(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public static byte[]? Bytes(string path)
    {
        try
        {
            return File.ReadAllBytes(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The value behind a name and a colon at the start of a line.</summary>
    public static string? Value(string? text, string name)
    {
        foreach (ReadOnlySpan<char> line in (text ?? string.Empty).AsSpan().EnumerateLines())
        {
            if (line.Length > name.Length && line.StartsWith(name, StringComparison.Ordinal) && line[name.Length] == ':')
            {
                return line[(name.Length + 1)..].Trim().ToString();
            }
        }

        return null;
    }
}
