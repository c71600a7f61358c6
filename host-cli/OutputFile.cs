namespace HangTriage.Cli;

/// <summary>
/// A file that is there whole or not at all: it is written beside its place and moved there. Devices and pipes are
/// written straight.
/// </summary>
internal sealed class OutputFile
{
    private readonly string _named;
    private readonly string _path;

    private OutputFile(string named, string path)
    {
        _named = named;
        _path = path;
    }

    /// <summary>Checks what can be known before the work begins.</summary>
    /// <exception cref="UsageException">The file cannot be written there, or would replace the input.</exception>
    public static OutputFile Plan(string path, params ReadOnlySpan<string?> inputs)
    {
        if (path.Length == 0)
        {
            throw new UsageException("-o needs the name of a file.");
        }

        string full = Path.GetFullPath(path);
        return Directory.Exists(full) ? throw new UsageException($"{path}: is a folder.")
            : !Directory.Exists(Path.GetDirectoryName(full)) && !IsDevice(full) ? throw new UsageException($"{path}: its folder does not exist.")
            : IsAny(full, inputs) ? throw new UsageException($"{path}: is the input, which is not overwritten.")
            : new OutputFile(path, full);
    }

    /// <exception cref="OutputException">The file could not be written; nothing is left of it.</exception>
    public void Write(Action<Stream> write)
    {
        try
        {
            if (IsDevice(_path))
            {
                using FileStream device = new(_path, FileMode.Open, FileAccess.Write);
                write(device);
                return;
            }

            Replace(write);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(_named, e);
        }
    }

    private void Replace(Action<Stream> write)
    {
        string temporary = Path.Combine(Path.GetDirectoryName(_path)!, $".{Path.GetFileName(_path)}.{Guid.NewGuid():N}.tmp");
        try
        {
            using (FileStream file = new(temporary, FileMode.CreateNew, FileAccess.Write))
            {
                write(file);
                file.Flush(flushToDisk: true);
            }

            File.Move(temporary, _path, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }
    }

    private static bool IsDevice(string path)
        => OperatingSystem.IsWindows() ? path.StartsWith(@"\\.\", StringComparison.Ordinal) : path.StartsWith("/dev/", StringComparison.Ordinal);

    private static bool IsAny(string path, ReadOnlySpan<string?> inputs)
    {
        foreach (string? input in inputs)
        {
            if (input is { Length: > 0 } && IsSame(path, Path.GetFullPath(input)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsSame(string left, string right)
        => string.Equals(
            Resolve(left),
            Resolve(right),
            OperatingSystem.IsWindows() || OperatingSystem.IsMacOS() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    private static string Resolve(string path)
        => File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path : path;
}
