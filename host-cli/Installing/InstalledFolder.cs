namespace HangTriage.Cli.Installing;

/// <summary>
/// A folder that files are put into, with a list of them beside them. Only what the list names is ever replaced or taken
/// away, and what is taken away leaves no empty folder that was made for it.
/// </summary>
internal sealed class InstalledFolder(string path)
{
    public const string ListName = "HangTriage.installed.txt";

    private readonly string _list = Path.Combine(path, ListName);

    /// <summary>Puts files there and takes away those of an earlier time that are no longer among them.</summary>
    /// <param name="files">What writes each file, by its path below the folder.</param>
    /// <exception cref="OutputException">A file is in the way that was not put there, or one could not be written.</exception>
    public void Put(IReadOnlyDictionary<string, Action<string>> files)
    {
        try
        {
            HashSet<string> listed = [.. Listed()];
            if (files.Keys.FirstOrDefault(file => !listed.Contains(file) && File.Exists(Full(file))) is { } foreign)
            {
                throw new OutputException(Full(foreign), new IOException("it is there already and was not put there by triage install; move it away first"));
            }

            // The list first: what is broken off here can be taken away.
            Directory.CreateDirectory(path);
            File.WriteAllLines(_list, files.Keys.Union(listed).Order(StringComparer.Ordinal));
            foreach ((string file, Action<string> write) in files)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Full(file))!);
                write(Full(file));
            }

            Delete(listed.Except(files.Keys));
            File.WriteAllLines(_list, files.Keys.Order(StringComparer.Ordinal));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(path, e);
        }
    }

    /// <returns>How many files were taken away; 0 where nothing is installed.</returns>
    /// <exception cref="OutputException">A file could not be deleted.</exception>
    public int Remove()
    {
        try
        {
            string[] listed = [.. Listed().Where(file => File.Exists(Full(file)))];
            Delete(listed);
            File.Delete(_list);
            DeleteIfEmpty(path);
            return listed.Length;
        }
        catch (DirectoryNotFoundException)
        {
            return 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(path, e);
        }
    }

    // The list is a text file that anybody may have edited: nothing outside the folder is touched for it.
    private IEnumerable<string> Listed()
        => File.Exists(_list)
            ? File.ReadAllLines(_list).Where(file => Full(file).StartsWith(Path.GetFullPath(path) + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            : [];

    private void Delete(IEnumerable<string> files)
    {
        foreach (string file in files)
        {
            File.Delete(Full(file));
            for (string folder = Path.GetDirectoryName(Full(file))!; folder.Length > Path.GetFullPath(path).Length; folder = Path.GetDirectoryName(folder)!)
            {
                DeleteIfEmpty(folder);
            }
        }
    }

    private static void DeleteIfEmpty(string folder)
    {
        if (Directory.Exists(folder) && !Directory.EnumerateFileSystemEntries(folder).Any())
        {
            Directory.Delete(folder);
        }
    }

    private string Full(string file) => Path.GetFullPath(Path.Combine(path, file));
}
