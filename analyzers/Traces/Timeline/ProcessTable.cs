namespace HangTriage.Traces.Timeline;

/// <summary>The processes of a trace by id. Ids are used again.</summary>
internal sealed class ProcessTable(TraceLimits limits)
{
    private readonly Dictionary<uint, ProcessLine> _current = [];
    private readonly List<ProcessLine> _all = [];
    private int _images;
    private int _methods;

    /// <summary>Processes, images and methods that found no room.</summary>
    public long Dropped { get; private set; }

    public IReadOnlyList<ProcessLine> All => _all;

    /// <summary>The process that has the id now; null where there is no room.</summary>
    public ProcessLine? Get(uint pid) => _current.TryGetValue(pid, out ProcessLine? line) ? line : Add(pid);

    public ProcessLine? Find(uint pid) => _current.GetValueOrDefault(pid);

    /// <summary>A process was there when the recording began or ended.</summary>
    public void Rundown(uint pid, string? name)
    {
        if (Get(pid) is { } line)
        {
            line.Name ??= name;
        }
    }

    public void Start(uint pid, string? name, long now)
    {
        ProcessLine? line = Find(pid) is { Name: null, To: null } met ? met : Add(pid);
        if (line is not null)
        {
            line.From = now;
            line.Name = name;
        }
    }

    public void End(uint pid, string? name, long now)
    {
        if (Get(pid) is { } line)
        {
            line.To = now;
            line.Name ??= name;
        }
    }

    public void AddImage(uint pid, ulong start, ulong size, string name)
    {
        if (_images < limits.Images && Get(pid) is { } line)
        {
            _images++;
            line.Images.Images.Add(start, size, name);
        }
        else
        {
            Dropped++;
        }
    }

    public void AddMethod(uint pid, ulong start, uint size, string name)
    {
        if (_methods < limits.Methods && Get(pid) is { } line)
        {
            _methods++;
            line.Images.Methods.Add(start, size, name);
        }
        else
        {
            Dropped++;
        }
    }

    private ProcessLine? Add(uint pid)
    {
        if (_all.Count >= limits.Processes)
        {
            Dropped++;
            return null;
        }

        ProcessLine line = new(pid);
        _current[pid] = line;
        _all.Add(line);
        return line;
    }
}
