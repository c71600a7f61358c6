namespace HangTriage.Capture.Linux.Live;

/// <summary>The memory of a process, range by range.</summary>
internal sealed class MemoryMaps
{
    private readonly MemoryMap[] _maps;

    private MemoryMaps(MemoryMap[] maps) => _maps = maps;

    public IReadOnlyList<MemoryMap> All => _maps;

    /// <param name="process">Its id.</param>
    /// <param name="limit">As many as are read.</param>
    /// <exception cref="IOException">The process is gone, or does not let itself be looked at.</exception>
    /// <exception cref="UnauthorizedAccessException">The process does not let itself be looked at.</exception>
    public static MemoryMaps Of(int process, int limit) => Parse(File.ReadAllText($"/proc/{process}/maps"), limit);

    public static MemoryMaps Parse(string text, int limit)
    {
        List<MemoryMap> maps = [];
        foreach (ReadOnlySpan<char> line in text.AsSpan().EnumerateLines())
        {
            if (maps.Count == limit)
            {
                break;
            }

            if (MemoryMap.Parse(line) is { } map && (maps.Count == 0 || map.Start >= maps[^1].End))
            {
                maps.Add(map);
            }
        }

        return new MemoryMaps([.. maps]);
    }

    /// <summary>Null where nothing is mapped at the address.</summary>
    public MemoryMap? Find(ulong address)
    {
        int low = 0;
        int high = _maps.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            if (address < _maps[middle].Start)
            {
                high = middle - 1;
            }
            else if (address >= _maps[middle].End)
            {
                low = middle + 1;
            }
            else
            {
                return _maps[middle];
            }
        }

        return null;
    }

    /// <summary>What is mapped from files, as a core lists it.</summary>
    public IReadOnlyList<MappedRange> Files()
        => [.. _maps.Where(map => map.IsOfFile).Select(map => new MappedRange(map.Start, map.End, map.Path, map.FileOffset))];
}
