namespace HangTriage.Capture.Symbols;

/// <summary>
/// Finds files in a folder, whichever of the known layouts it has: flat (<c>name.dll</c>), a symbol store
/// (<c>name.dll/INDEX/name.dll</c>), or one of two tiers (<c>na/name.dll/INDEX/name.dll</c>, marked by index2.txt).
/// Letters count alike in both cases, as Windows has it.
/// </summary>
internal sealed class SymbolFolder
{
    private static readonly EnumerationOptions s_anyCase = new() { MatchCasing = MatchCasing.CaseInsensitive, MatchType = MatchType.Simple, AttributesToSkip = 0 };

    private readonly string _folder;

    public SymbolFolder(string folder) => _folder = folder;

    /// <summary>The files that may be the one that is looked for; none is verified. Never throws.</summary>
    /// <param name="key">What is looked for.</param>
    /// <param name="isCompressed">Only a compressed copy was there (<c>name.dl_</c>), which is not read.</param>
    public IReadOnlyList<string> Find(SymbolKey key, out bool isCompressed)
    {
        isCompressed = false;
        List<string> found = [];
        try
        {
            if (!Directory.Exists(_folder))
            {
                return [];
            }

            string compressed = string.Concat(key.FileName.AsSpan(0, key.FileName.Length - 1), "_");
            foreach (string folder in FoldersOf(key))
            {
                if (Child(folder, key.FileName, isFile: true) is { } file)
                {
                    found.Add(file);
                }
                else if (Child(folder, compressed, isFile: true) is not null)
                {
                    isCompressed = true;
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            // A folder that cannot be listed has nothing to offer.
        }

        return found;
    }

    /// <summary>Where a download is kept, which <see cref="Find"/> finds again.</summary>
    public string PlaceOf(SymbolKey key) => Path.Combine(Tier(key), key.FileName, key.Index, key.FileName);

    private IEnumerable<string> FoldersOf(SymbolKey key)
    {
        foreach (string root in new[] { _folder, Tier(key) }.Distinct())
        {
            if (Child(root, key.FileName, isFile: false) is { } name && Child(name, key.Index, isFile: false) is { } index)
            {
                yield return index;
            }
        }

        yield return _folder;
    }

    private string Tier(SymbolKey key)
        => key.FileName.Length > 1 && File.Exists(Path.Combine(_folder, "index2.txt"))
            ? Path.Combine(_folder, key.FileName[..2].ToLowerInvariant())
            : _folder;

    private static string? Child(string folder, string name, bool isFile)
    {
        string exact = Path.Combine(folder, name);
        if (isFile ? File.Exists(exact) : Directory.Exists(exact))
        {
            return exact;
        }

        return !Directory.Exists(folder) ? null
            : (isFile ? Directory.EnumerateFiles(folder, name, s_anyCase) : Directory.EnumerateDirectories(folder, name, s_anyCase)).FirstOrDefault();
    }
}
