using HangTriage.Capture.Files;
using HangTriage.Capture.Windows.DotNet;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// A Windows minidump. The file is mapped, not read: what stays in memory grows with the number of threads, modules
/// and memory ranges, not with the dump. The file must not be cut while it is open.
/// </summary>
public sealed class MinidumpProcess : IWindowsProcess, IDisposable
{
    private readonly MappedFile _file;
    private readonly MinidumpMemory _memory;
    private readonly MinidumpThreads _threads;
    private readonly MinidumpSystem _system;
    private readonly MinidumpMisc _misc;
    private readonly List<Gap> _gaps = [];

    private MinidumpProcess(MappedFile file, string path, IRuntimeDoor? runtime, CaptureContext context)
    {
        _file = file;
        MinidumpDirectory directory = MinidumpDirectory.Read(file, context.Limits);
        _system = MinidumpSystem.Read(file, directory);
        _misc = MinidumpMisc.Read(file, directory);
        Runtime = runtime ?? WindowsRuntime.OfDump(path, _system.Architecture);
        bool is32Bit = _system.Architecture is TargetArchitecture.X86 or TargetArchitecture.Arm;
        CapturedAt = MinidumpTime.FromUnix(directory.TimeDateStamp, "time of the dump");
        Modules = MinidumpModules.Read(file, directory, is32Bit, context, _gaps);
        _memory = MinidumpMemory.Read(file, directory, is32Bit, context.Limits, _gaps);
        _threads = MinidumpThreads.Read(file, directory, _memory, is32Bit, context, _gaps);
        _memory.Complete(_gaps);
        Crash = MinidumpException.Read(file, directory);
        Handles = MinidumpHandles.Read(file, directory, context, _gaps);
    }

    public TargetKind Kind => TargetKind.Minidump;

    public TargetArchitecture Architecture => _system.Architecture;

    public Known<uint> OsBuild => Known.Read(_system.Build);

    public Known<uint> Pid => _misc.Pid;

    public Known<uint> ProcessorCount => _system.Processors == 0
        ? Known.Unknown<uint>("processor count", "the dump does not say")
        : Known.Read<uint>(_system.Processors);

    public Known<DateTimeOffset> StartedAt => _misc.StartedAt;

    public Known<DateTimeOffset> CapturedAt { get; }

    public CrashFacts? Crash { get; }

    public Absence Absence => Absence.InMinidump;

    public IRuntimeDoor Runtime { get; }

    public Known<IReadOnlyList<ModuleFacts>> Modules { get; }

    public Known<IReadOnlyList<WindowsThread>> Threads => _threads.List;

    public Known<IReadOnlyList<HandleFacts>> Handles { get; }

    public IReadOnlyList<Gap> Gaps => _gaps;

    public IReadOnlyList<Gap> Losses => _memory.Lost is { } lost ? [lost] : [];

    /// <summary>Opens a minidump of a Windows process of any architecture.</summary>
    /// <param name="path">The file.</param>
    /// <param name="context">Limits and cancellation.</param>
    /// <param name="runtime">The way to its .NET runtime; null for the one through the file.</param>
    /// <exception cref="TargetOpenException">The file cannot be read, is no minidump, or is not of Windows.</exception>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static MinidumpProcess Open(string path, CaptureContext context, IRuntimeDoor? runtime = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        MappedFile file = MappedFile.Open(path);
        try
        {
            return new MinidumpProcess(file, path, runtime, context);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public int ReadMemory(ulong address, Span<byte> buffer) => _memory.Read(address, buffer);

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        ArgumentNullException.ThrowIfNull(thread);
        MinidumpStream context = _threads.ContextOf(thread.Index);
        int size = (int)Math.Min((ulong)buffer.Length, context.Size);
        return context.Offset == 0 ? 0 : _file.Read(context.Offset, buffer[..size]);
    }

    public void Dispose() => _file.Dispose();
}
