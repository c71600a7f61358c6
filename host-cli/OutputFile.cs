namespace HangTriage.Cli;

/// <summary>
/// A file that is there whole or not at all: it is written beside its place and moved there. Devices and pipes are
/// written straight.
/// </summary>
internal sealed class OutputFile
{
    private const string StandardOutput = "-";

    private readonly string _named;
    private readonly string _path;

    private OutputFile(string named, string path)
    {
        _named = named;
        _path = path;
    }

    /// <summary>Checks what can be known before the work begins: that the file can be made, too.</summary>
    /// <exception cref="UsageException">No file is named, or the file would replace the input.</exception>
    /// <exception cref="OutputException">The file cannot be written there.</exception>
    public static OutputFile Plan(string path, params ReadOnlySpan<string?> inputs)
    {
        if (path.Length == 0)
        {
            throw new UsageException("-o needs the name of a file.");
        }

        string full = Path.GetFullPath(path);
        return Directory.Exists(full) ? throw new OutputException(path, new IOException("it is a folder"))
            : !Directory.Exists(Path.GetDirectoryName(full)) && !IsDevice(full) ? throw new OutputException(path, new IOException("its folder does not exist"))
            : IsAny(full, inputs) ? throw new UsageException($"{path}: is the input, which is not overwritten.")
            : new OutputFile(path, full).Tried();
    }

    /// <summary>The same; null for standard output, which nothing and a dash mean.</summary>
    public static OutputFile? PlanOrNull(string? path, params ReadOnlySpan<string?> inputs)
        => path is null or StandardOutput ? null : Plan(path, inputs);

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

    // Better now than behind minutes of reading.
    private OutputFile Tried()
    {
        try
        {
            if (!IsDevice(_path))
            {
                string temporary = Temporary();
                new FileStream(temporary, FileMode.CreateNew, FileAccess.Write).Dispose();
                File.Delete(temporary);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(_named, e);
        }

        return this;
    }

    private string Temporary() => Path.Combine(Path.GetDirectoryName(_path)!, $".{Path.GetFileName(_path)}.{Guid.NewGuid():N}.tmp");

    private void Replace(Action<Stream> write)
    {
        string temporary = Temporary();
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
