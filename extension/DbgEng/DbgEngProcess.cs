using System.Buffers.Binary;
using System.Text;
using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>The current process of a debugger session, as the engine shows it: a dump or a live process.</summary>
internal sealed unsafe class DbgEngProcess : IWindowsProcess
{
    private const uint ThreadBasicInformation = 0;
    private const int NameBytes = 2_048;
    private const int ContextAlignment = 16;

    private static readonly DateTimeOffset s_firstPlausible = new(1990, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly DebugSession _session;
    private readonly DumpFile? _file;
    private readonly InterruptWatch _watch;
    private readonly Dictionary<uint, uint> _engineIds = [];

    /// <param name="session">The session.</param>
    /// <param name="architecture">Its processor.</param>
    /// <param name="file">The dump file that it is on; null for none.</param>
    /// <param name="watch">Once it has stopped, neither memory nor registers are given any more.</param>
    /// <param name="runtime">The way to its .NET runtime.</param>
    /// <param name="context">Limits, and what ends the listing of modules and threads.</param>
    /// <exception cref="OperationCanceledException">It was cancelled before modules and threads were known.</exception>
    public DbgEngProcess(DebugSession session, TargetArchitecture architecture, DumpFile? file, InterruptWatch watch, IRuntimeDoor runtime, CaptureContext context)
    {
        _session = session;
        _file = file;
        _watch = watch;
        Runtime = runtime;
        Functions = new DebuggerSymbols(session.Symbols, watch);
        Architecture = architecture;
        OsBuild = watch.Succeeded(session.Control.GetSystemVersion(out _, out _, out uint build, null, 0, null, out _, null, 0, null))
            ? Known.Read(build)
            : Unknown<uint>("build of Windows");
        Pid = watch.Succeeded(session.Objects.GetCurrentProcessSystemId(out uint pid)) ? Known.Read(pid) : Unknown<uint>("process id");
        ProcessorCount = watch.Succeeded(session.Control.GetNumberProcessors(out uint processors)) ? Known.Read(processors) : Unknown<uint>("number of processors");
        CapturedAt = watch.Succeeded(session.Control.GetCurrentTimeDate(out uint now)) && now != 0
            ? Known.Read(DateTimeOffset.FromUnixTimeSeconds(now))
            : Unknown<DateTimeOffset>("time of the capture");
        StartedAt = file is not null ? file.StartedAt
            : watch.Succeeded(session.Objects.GetCurrentProcessUpTime(out uint up)) && up != 0 ? CapturedAt.Select(at => at - TimeSpan.FromSeconds(up))
            : Unknown<DateTimeOffset>("start of the process");
        Modules = ReadModules(context);
        Threads = ReadThreads(context);
        Crash = LastEvent.Crash(session, watch, _engineIds);
        context.Cancellation.ThrowIfCancellationRequested();
    }

    public TargetKind Kind => TargetKind.DebuggerSession;

    public TargetArchitecture Architecture { get; }

    public Known<uint> OsBuild { get; }

    public Known<uint> Pid { get; }

    public Known<uint> ProcessorCount { get; }

    public Known<DateTimeOffset> StartedAt { get; }

    public Known<DateTimeOffset> CapturedAt { get; }

    public Absence Absence => Absence.InDebugger;

    public IRuntimeDoor Runtime { get; }

    public Known<IReadOnlyList<ModuleFacts>> Modules { get; }

    public Known<IReadOnlyList<WindowsThread>> Threads { get; }

    public Known<IReadOnlyList<HandleFacts>> Handles => _file?.Handles
        ?? Known.Unknown<IReadOnlyList<HandleFacts>>("handles", "they are read from dump files alone, and this session has none that can be opened");

    public CrashFacts? Crash { get; }

    public IFunctionNamer Functions { get; }

    public IReadOnlyList<Gap> Gaps => [];

    public int ReadMemory(ulong address, Span<byte> buffer)
    {
        uint read = 0;
        fixed (byte* start = buffer)
        {
            return !buffer.IsEmpty && !_watch.IsStopped && _watch.Succeeded(_session.Memory.ReadVirtual(address, start, (uint)buffer.Length, out read))
                ? (int)read
                : 0;
        }
    }

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        if (_watch.IsStopped || !_engineIds.TryGetValue(thread.Id, out uint id))
        {
            return 0;
        }

        // The engine takes no buffer but one of the whole record's size.
        uint size = ContextSize(Architecture);
        byte* context = stackalloc byte[(int)size + ContextAlignment];
        context += ContextAlignment - (int)((nuint)context % ContextAlignment);
        using CurrentThread scope = new(_session.Objects, id, _watch);
        if (!scope.IsSet || !_watch.Succeeded(_session.Advanced.GetThreadContext(context, size)))
        {
            return 0;
        }

        int count = Math.Min((int)size, buffer.Length);
        new ReadOnlySpan<byte>(context, count).CopyTo(buffer);
        return count;
    }

    private Known<IReadOnlyList<ModuleFacts>> ReadModules(CaptureContext context)
    {
        if (!_watch.Succeeded(_session.Symbols.GetNumberModules(out uint count, out _)))
        {
            return Unknown<IReadOnlyList<ModuleFacts>>("modules");
        }

        List<ModuleFacts> modules = [];
        for (uint index = 0; index < Math.Min(count, (uint)context.Limits.Modules); index++)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            DebugModuleParameters parameters;
            if (_watch.Succeeded(_session.Symbols.GetModuleParameters(1, null, index, &parameters)))
            {
                modules.Add(new ModuleFacts(ModuleName(index), new Address(parameters.Base), parameters.Size)
                {
                    TimeDateStamp = parameters.TimeDateStamp,
                    Version = ModuleVersion(index),
                });
            }
        }

        return Known.Read<IReadOnlyList<ModuleFacts>>(modules);
    }

    private string ModuleName(uint index)
    {
        byte* image = stackalloc byte[NameBytes];
        bool named = _watch.Succeeded(_session.Symbols.GetModuleNames(index, 0, image, NameBytes, out uint used, null, 0, null, null, 0, null));
        string path = named && used > 1 ? Encoding.UTF8.GetString(image, (int)Math.Min(used, NameBytes) - 1) : "?";
        return path[(path.LastIndexOfAny(['\\', '/']) + 1)..];
    }

    // VS_FIXEDFILEINFO: signature, structure version, file version (high, low).
    private string? ModuleVersion(uint index)
    {
        const uint Signature = 0xFEEF04BD;
        uint* info = stackalloc uint[13];
        fixed (byte* item = "\\\0"u8)
        {
            if (!_watch.Succeeded(_session.Symbols.GetModuleVersionInformation(index, 0, item, info, 13 * sizeof(uint), null)) || info[0] != Signature)
            {
                return null;
            }
        }

        return $"{info[2] >> 16}.{info[2] & 0xFFFF}.{info[3] >> 16}.{info[3] & 0xFFFF}";
    }

    private Known<IReadOnlyList<WindowsThread>> ReadThreads(CaptureContext context)
    {
        if (!_watch.Succeeded(_session.Objects.GetNumberThreads(out uint count)))
        {
            return Unknown<IReadOnlyList<WindowsThread>>("threads");
        }

        count = Math.Min(count, (uint)context.Limits.Threads);
        uint[] ids = new uint[count];
        uint[] systemIds = new uint[count];
        fixed (uint* idStart = ids)
        fixed (uint* systemIdStart = systemIds)
        {
            if (!_watch.Succeeded(_session.Objects.GetThreadIdsByIndex(0, count, idStart, systemIdStart)))
            {
                return Unknown<IReadOnlyList<WindowsThread>>("threads");
            }
        }

        List<WindowsThread> threads = [];
        for (int index = 0; index < count; index++)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            _engineIds.TryAdd(systemIds[index], ids[index]);
            threads.Add(ReadThread(systemIds[index], ids[index], index));
        }

        return Known.Read<IReadOnlyList<WindowsThread>>(threads);
    }

    private WindowsThread ReadThread(uint systemId, uint engineId, int index)
    {
        DebugThreadBasicInformation basic;
        bool isKnown = _watch.Succeeded(_session.Advanced.GetSystemObjectInformation(
            ThreadBasicInformation, 0, engineId, &basic, (uint)sizeof(DebugThreadBasicInformation), out _));
        bool hasTimes = isKnown && (basic.Valid & DebugThreadBasicInformation.HasTimes) != 0;
        bool hasStart = isKnown && (basic.Valid & DebugThreadBasicInformation.HasStartOffset) != 0;
        // The engine shows names and suspend counts in its windows and hands out neither.
        WindowsThread? inFile = _file?.Threads.GetValueOrDefault(systemId);
        using CurrentThread scope = new(_session.Objects, engineId, _watch);
        return new WindowsThread
        {
            Id = systemId,
            Index = index,
            Teb = scope.IsSet && _watch.Succeeded(_session.Objects.GetCurrentThreadTeb(out ulong teb)) ? teb : 0,
            SuspendCount = inFile?.SuspendCount,
            Name = inFile?.Name ?? Known.Unknown<string>(
                "name of the thread", "names are read from dump files alone, and this session has none that can be opened"),
            Cpu = hasTimes
                ? Known.Read(new CpuTime(new TimeSpan((long)basic.UserTime), new TimeSpan((long)basic.KernelTime)))
                : Unknown<CpuTime>("CPU time"),
            StartedAt = hasTimes && FileTime(basic.CreateTime) is { } at ? Known.Read(at) : Unknown<DateTimeOffset>("start of the thread"),
            StartAddress = hasStart ? Known.Read(new Address(basic.StartOffset)) : Unknown<Address>("start address"),
        };
    }

    private static DateTimeOffset? FileTime(ulong ticks)
        => ticks < (ulong)DateTimeOffset.MaxValue.ToFileTime() && DateTimeOffset.FromFileTime((long)ticks).ToUniversalTime() is var at && at > s_firstPlausible
            ? at
            : null;

    // sizeof(CONTEXT) in the Windows headers.
    private static uint ContextSize(TargetArchitecture architecture) => architecture switch
    {
        TargetArchitecture.X64 => 0x4D0,
        TargetArchitecture.X86 => 0x2CC,
        TargetArchitecture.Arm64 => 0x390,
        _ => 0x1A0,
    };

    private static Known<T> Unknown<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, "the debugger does not have it");
}
