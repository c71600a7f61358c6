namespace HangTriage.Tests.Support;

/// <summary>A folder that is gone when the test ends.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public TemporaryFolder() => Folder = Directory.CreateTempSubdirectory("test-").FullName;

    public string Folder { get; }

    public IReadOnlyList<string> Names => [.. Directory.GetFileSystemEntries(Folder).Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal)];

    public string this[string name] => Path.Combine(Folder, name);

    public string Write(string name, string content)
    {
        File.WriteAllText(this[name], content);
        return this[name];
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
