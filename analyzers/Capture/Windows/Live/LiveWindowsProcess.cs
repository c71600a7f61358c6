using HangTriage.Capture.Managed;
using HangTriage.Capture.Windows.DotNet;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Windows.Live;

/// <summary>A process that runs on this machine, as it was while it stood still.</summary>
internal sealed class LiveWindowsProcess : IWindowsProcess
{
    private readonly LiveWindowsCopy _copy;
    private readonly LiveWindowsReader _reader;

    public LiveWindowsProcess(LiveWindowsCopy copy, LiveWindowsReader reader)
    {
        _copy = copy;
        _reader = reader;
        Runtime = WindowsRuntime.OfProcess(context => ClrTarget.Open(reader, context.Limits), Architecture);
        Modules = Known.Read<IReadOnlyList<ModuleFacts>>([.. reader.Modules.Select(ModuleOf)]);
        Threads = Known.Read<IReadOnlyList<WindowsThread>>([.. copy.Threads.Select(ThreadOf)]);
        StartedAt = copy.Process.StartedAt is { } start ? Known.Read(start) : Known.Unknown<DateTimeOffset>("start time of the process", Absence.OfFact);
    }

    public TargetKind Kind => TargetKind.LiveProcess;

    public TargetArchitecture Architecture => TargetArchitecture.X64;

    public Absence Absence => Absence.InWindowsProcess;

    public IRuntimeDoor Runtime { get; }

    public Known<uint> OsBuild => Known.Read((uint)Environment.OSVersion.Version.Build);

    public Known<uint> Pid => Known.Read(_copy.Process.Id);

    public Known<uint> ProcessorCount => Known.Read((uint)Environment.ProcessorCount);

    public Known<DateTimeOffset> StartedAt { get; }

    public Known<DateTimeOffset> CapturedAt => Known.Read(_copy.TakenAt);

    public Known<TimeSpan>? StoodStill => Known.Read(_copy.StoodStill);

    public Known<IReadOnlyList<ModuleFacts>> Modules { get; }

    public Known<IReadOnlyList<WindowsThread>> Threads { get; }

    public Known<IReadOnlyList<HandleFacts>> Handles => Known.Unknown<IReadOnlyList<HandleFacts>>("handles", "those of a live process are not read");

    public IReadOnlyList<Gap> Gaps => _copy.Gaps;

    public int ReadMemory(ulong address, Span<byte> buffer) => _reader.Read(address, buffer);

    public int ReadContext(WindowsThread thread, Span<byte> buffer)
    {
        ArgumentNullException.ThrowIfNull(thread);
        byte[] context = _copy.Threads[thread.Index].Context ?? [];
        int size = Math.Min(context.Length, buffer.Length);
        context.AsSpan(0, size).CopyTo(buffer);
        return size;
    }

    private static WindowsThread ThreadOf(LiveThread thread, int index) => new()
    {
        Id = thread.Id,
        Index = index,
        Teb = thread.Facts.Teb,
        Name = thread.Facts.Name,
        Cpu = thread.Facts.Cpu,
        StartedAt = thread.Facts.StartedAt,
        StartAddress = thread.Facts.StartAddress,
        SuspendCount = thread.SuspendCount,
    };

    private static ModuleFacts ModuleOf(ModuleInfo module)
    {
        Address address = new(module.ImageBase);
        string name = SafeText.FileName(module.FileName ?? string.Empty);
        return new ModuleFacts(name.Length > 0 ? name : $"module@{address}", address, (ulong)module.ImageSize)
        {
            TimeDateStamp = (uint)module.IndexTimeStamp,
            Version = module.Version is { Major: > 0 } version ? $"{version}" : null,
            Pdb = module.Pdb is { } pdb ? new PdbId(SafeText.FileName(pdb.Path), pdb.Guid, (uint)pdb.Revision) : null,
        };
    }
}
