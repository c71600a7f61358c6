namespace HangTriage.Traces.Timeline;

/// <summary>What a thread reads and writes.</summary>
internal sealed class IoCounts(int mostFiles)
{
    private readonly Dictionary<ulong, FileCount> _files = [];

    public FileCount Total { get; } = new();

    public Dictionary<string, long> Registry { get; } = [];

    public IReadOnlyDictionary<ulong, FileCount> Files => _files;

    public void Add(ulong file, uint bytes, bool isWrite)
    {
        Total.Add(bytes, isWrite);
        if (!_files.TryGetValue(file, out FileCount? count))
        {
            if (_files.Count >= mostFiles)
            {
                return;
            }

            _files.Add(file, count = new FileCount());
        }

        count.Add(bytes, isWrite);
    }
}
