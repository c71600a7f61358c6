namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// Writes a Windows minidump. It shares no layout with the product's reader, so that a wrong offset in either is seen.
/// What is added is written in the order in which it was added; nothing depends on the clock or the machine.
/// </summary>
public sealed class SyntheticMinidump
{
    private readonly List<SyntheticThreadRecord> _threads = [];
    private readonly List<SyntheticModule> _modules = [];
    private readonly List<SyntheticMemory> _memory = [];
    private readonly List<SyntheticRegion> _regions = [];
    private readonly List<SyntheticHandle> _handles = [];
    private readonly List<(uint Type, byte[] Body)> _raw = [];
    private readonly HashSet<MinidumpStream> _left = [];
    private readonly Dictionary<MinidumpStream, StreamLie> _lies = [];
    private readonly List<(int Offset, byte[] Bytes)> _patches = [];
    private SyntheticSystem _system = new();
    private SyntheticProcessInfo? _process;
    private DateTime _writtenAt = new(2017, 3, 1, 11, 15, 0, DateTimeKind.Utc);
    private ulong _flags = 0x1806;
    private bool _memory64 = true;
    private int? _length;

    public SyntheticMinidump System(SyntheticSystem system) => With(() => _system = system);

    public SyntheticMinidump Process(SyntheticProcessInfo process) => With(() => _process = process);

    public SyntheticMinidump Thread(SyntheticThreadRecord thread) => With(() => _threads.Add(thread));

    public SyntheticMinidump Module(SyntheticModule module) => With(() => _modules.Add(module));

    public SyntheticMinidump Memory(SyntheticMemory memory) => With(() => _memory.Add(memory));

    public SyntheticMinidump Region(SyntheticRegion region) => With(() => _regions.Add(region));

    public SyntheticMinidump Handle(SyntheticHandle handle) => With(() => _handles.Add(handle));

    /// <summary>A stream that this type does not know.</summary>
    public SyntheticMinidump RawStream(uint type, byte[] body) => With(() => _raw.Add((type, body)));

    /// <summary>The time in the header.</summary>
    public SyntheticMinidump WrittenAt(DateTime time) => With(() => _writtenAt = time);

    /// <summary>The MINIDUMP_TYPE in the header; by default that of a full dump.</summary>
    public SyntheticMinidump Flags(ulong flags) => With(() => _flags = flags);

    /// <summary>Memory goes into the Memory64List, as in full dumps. This is the default.</summary>
    public SyntheticMinidump AsFullDump() => With(() => (_memory64, _flags) = (true, 0x1806));

    /// <summary>Memory goes into the MemoryList, as in small dumps.</summary>
    public SyntheticMinidump AsSmallDump() => With(() => (_memory64, _flags) = (false, 0x1101));

    /// <summary>Leaves a whole stream out.</summary>
    public SyntheticMinidump Without(MinidumpStream stream) => With(() => _left.Add(stream));

    /// <summary>Makes a stream say what is not so.</summary>
    public SyntheticMinidump Lie(MinidumpStream stream, Action<StreamLie> tell)
    {
        if (!_lies.TryGetValue(stream, out StreamLie? lie))
        {
            _lies.Add(stream, lie = new StreamLie());
        }

        tell(lie);
        return this;
    }

    /// <summary>Overwrites bytes of the finished file.</summary>
    public SyntheticMinidump Patch(int offset, params byte[] bytes) => With(() => _patches.Add((offset, bytes)));

    /// <summary>Cuts the file off.</summary>
    public SyntheticMinidump TruncateTo(int length) => With(() => _length = length);

    public byte[] Build()
    {
        List<(MinidumpStream Stream, Func<MinidumpFile, StreamBody> Write)> streams = Streams();
        streams.RemoveAll(part => _left.Contains(part.Stream));
        MinidumpFile file = new(streams.Count, _writtenAt, _flags);
        foreach ((MinidumpStream stream, Func<MinidumpFile, StreamBody> write) in streams)
        {
            file.AddStream((uint)stream, write(file), _lies.GetValueOrDefault(stream));
        }

        foreach ((MinidumpStream stream, StreamLie lie) in _lies.Where(pair => pair.Value.Overlapped is not null))
        {
            file.Overlap(stream, lie.Overlapped!.Value);
        }

        byte[] bytes = file.Finish();
        _patches.ForEach(patch => patch.Bytes.CopyTo(bytes, patch.Offset));
        return _length is int length ? bytes[..length] : bytes;
    }

    private List<(MinidumpStream Stream, Func<MinidumpFile, StreamBody> Write)> Streams()
    {
        List<(MinidumpStream, Func<MinidumpFile, StreamBody>)> streams = [(MinidumpStream.SystemInfo, file => MinidumpStreams.SystemInfo(file, _system))];
        AddIf(_process is not null, MinidumpStream.MiscInfo, _ => MinidumpStreams.MiscInfo(_process!));
        AddIf(true, MinidumpStream.ThreadList, file => ThreadStreams.ThreadList(file, _threads));
        AddIf(_threads.Exists(thread => thread.Times is not null), MinidumpStream.ThreadInfoList, _ => ThreadStreams.ThreadInfoList(_threads));
        AddIf(_threads.Exists(thread => thread.Name is not null), MinidumpStream.ThreadNames, file => ThreadStreams.ThreadNames(file, _threads));
        AddIf(true, MinidumpStream.ModuleList, file => ModuleStream.ModuleList(file, _modules));
        AddIf(_handles.Count > 0, MinidumpStream.HandleData, file => HandleStream.HandleData(file, _handles));
        AddIf(_regions.Count > 0, MinidumpStream.MemoryInfoList, _ => MinidumpStreams.MemoryInfoList(_regions));
        foreach ((uint type, byte[] raw) in _raw)
        {
            AddIf(true, (MinidumpStream)type, _ => Raw(raw));
        }

        SyntheticMemory[] memory = [.. _memory.OrderBy(block => block.Address)];
        AddIf(_memory64, MinidumpStream.Memory64List, file => MinidumpStreams.Memory64List(file, memory));
        AddIf(!_memory64, MinidumpStream.MemoryList, file => MinidumpStreams.MemoryList(file, memory));
        return streams;

        void AddIf(bool present, MinidumpStream stream, Func<MinidumpFile, StreamBody> write)
        {
            if (present)
            {
                streams.Add((stream, write));
            }
        }
    }

    private static StreamBody Raw(byte[] bytes)
    {
        StreamBody body = new();
        body.Bytes.Bytes(bytes);
        return body;
    }

    private SyntheticMinidump With(Action change)
    {
        change();
        return this;
    }
}
