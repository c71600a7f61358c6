using System.Runtime.InteropServices;
using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.Facts;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.DotnetDump;

/// <summary>A Windows process as the host shows it where it names no dump file: SOS in WinDbg.</summary>
internal sealed class HostedWindowsProcess : IWindowsProcess
{
    private readonly HostReader _reader;

    public HostedWindowsProcess(HostReader reader, ITarget target, IRuntimeDoor runtime, CaptureContext context)
    {
        _reader = reader;
        Runtime = runtime;
        Architecture = target.Architecture switch
        {
            System.Runtime.InteropServices.Architecture.X64 => TargetArchitecture.X64,
            System.Runtime.InteropServices.Architecture.X86 => TargetArchitecture.X86,
            System.Runtime.InteropServices.Architecture.Arm64 => TargetArchitecture.Arm64,
            System.Runtime.InteropServices.Architecture.Arm => TargetArchitecture.Arm,
            _ => throw new TargetOpenException($"a process of a {target.Architecture} processor is not read; x86, x64, Arm and Arm64 are"),
        };
        Pid = target.ProcessId is { } pid ? Known.Read(pid) : NotTold<uint>("process id");
        Modules = Known.Read<IReadOnlyList<ModuleFacts>>([.. reader.EnumerateModules().Take(context.Limits.Modules).Select(Module)]);
        Threads = Known.Read<IReadOnlyList<WindowsThread>>([.. reader.EnumerateOSThreadIds().Take(context.Limits.Threads).Select(Thread)]);
    }

    public TargetKind Kind => TargetKind.DebuggerSession;

    public TargetArchitecture Architecture { get; }

    public Known<uint> OsBuild { get; } = NotTold<uint>("build of Windows");

    public Known<uint> Pid { get; }

    public Known<uint> ProcessorCount { get; } = NotTold<uint>("number of processors");

    public Known<DateTimeOffset> StartedAt { get; } = NotTold<DateTimeOffset>("start of the process");

    public Known<DateTimeOffset> CapturedAt { get; } = NotTold<DateTimeOffset>("time of the capture");

    public Absence Absence => Absence.InDebugger;

    public IRuntimeDoor Runtime { get; }

    public Known<IReadOnlyList<ModuleFacts>> Modules { get; }

    public Known<IReadOnlyList<WindowsThread>> Threads { get; }

    public Known<IReadOnlyList<HandleFacts>> Handles { get; } = NotTold<IReadOnlyList<HandleFacts>>("handles");

    public IReadOnlyList<Gap> Gaps => [];

    public int ReadMemory(ulong address, Span<byte> buffer) => Math.Clamp(_reader.Read(address, buffer), 0, buffer.Length);

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        ArgumentNullException.ThrowIfNull(thread);
        return _reader.GetThreadContext(thread.Id, 0, buffer) ? buffer.Length : 0;
    }

    private static ModuleFacts Module(ModuleInfo module)
        => new(FileName(module.FileName), new Address(module.ImageBase), module.ImageSize > 0 ? (ulong)module.ImageSize : (uint)module.IndexFileSize)
        {
            TimeDateStamp = (uint)module.IndexTimeStamp,
            Version = module.Version is { Major: > 0 } version ? version.ToString() : null,
        };

    private static string FileName(string? path) => path is { Length: > 0 } ? path[(path.LastIndexOfAny(['\\', '/']) + 1)..] : "?";

    private WindowsThread Thread(uint id, int index) => new()
    {
        Id = id,
        Index = index,
        Teb = _reader.GetThreadTeb(id),
        Name = NotTold<string>("name of the thread"),
        Cpu = NotTold<CpuTime>("CPU time"),
        StartedAt = NotTold<DateTimeOffset>("start of the thread"),
        StartAddress = NotTold<Address>("start address"),
    };

    private static Known<T> NotTold<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, "SOS does not tell it; the extension for WinDbg reads it");
}
