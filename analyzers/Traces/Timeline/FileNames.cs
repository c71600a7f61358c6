namespace HangTriage.Traces.Timeline;

/// <summary>What the kernel calls the files whose keys its events name.</summary>
internal sealed class FileNames(TraceLimits limits)
{
    private readonly Dictionary<ulong, string> _names = [];

    public long Dropped { get; private set; }

    public void Add(ulong key, string name)
    {
        if (_names.Count < limits.FileNames || _names.ContainsKey(key))
        {
            _names[key] = name;
        }
        else
        {
            Dropped++;
        }
    }

    public string? Find(ulong key) => _names.GetValueOrDefault(key);
}
