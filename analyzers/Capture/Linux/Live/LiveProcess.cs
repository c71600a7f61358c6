using System.Globalization;
using System.Numerics;
using HangTriage.Capture.Live;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Live;

/// <summary>A process that runs on this machine, as it was while it stood still.</summary>
internal sealed class LiveProcess : ILinuxProcess
{
    private readonly LiveCopy _copy;
    private readonly LiveReader _reader;
    private readonly AuxiliaryVector _auxiliary;
    private readonly Dictionary<uint, SystemCallState> _calls = [];

    public LiveProcess(LiveCopy copy, LiveReader reader, DataTarget target)
    {
        _copy = copy;
        _reader = reader;
        Target = target;
        Runtime = new LiveRuntime(target, copy.Process);
        Files = copy.Maps.Files();
        _auxiliary = ProcFile.Bytes($"/proc/{copy.Process}/auxv") is { } vector ? AuxiliaryVector.Parse(vector, is64Bit: true) : AuxiliaryVector.Empty;
        foreach ((uint thread, byte[] registers) in copy.Registers)
        {
            ThreadRegistersX64.ReadCall(thread, registers, _calls);
        }
    }

    public TargetKind Kind => TargetKind.LiveProcess;

    public Absence Absence => Absence.InProcess;

    public IRuntimeDoor Runtime { get; }

    public DataTarget Target { get; }

    public Known<uint> OsBuild => Known.Unknown<uint>("operating system build", Absence.OfFact);

    public Known<uint> Pid => Known.Read((uint)_copy.Process);

    public Known<uint> ProcessorCount
        => ProcFile.Value(ProcFile.Text($"/proc/{_copy.Process}/status"), "Cpus_allowed") is { } mask
            ? Known.Derived((uint)mask.Sum(digit => BitOperations.PopCount((uint)Convert.ToInt32(char.IsAsciiHexDigit(digit) ? $"{digit}" : "0", 16))))
            : Known.Unknown<uint>("processor count", Absence.OfFact);

    public Known<DateTimeOffset> StartedAt
        => SystemClock.BootTime() is { } boot && Stat() is { } stat
            ? Known.Derived(boot + stat.Started)
            : Known.Unknown<DateTimeOffset>("start time of the process", Absence.OfFact);

    public Known<DateTimeOffset> CapturedAt => Known.Read(_copy.TakenAt);

    public Known<TimeSpan>? StoodStill => Known.Read(_copy.StoodStill);

    public Known<ProcessIdentity> Identity
        => _auxiliary == AuxiliaryVector.Empty
            ? Known.Unknown<ProcessIdentity>("identity of the process", Absence.OfFact)
            : Attempt.Read("identity of the process", () => Known.Read(IdentityReader.Read(_auxiliary, (address, bytes) => _reader.Read(address, bytes))));

    public string? Name => Stat()?.Name;

    public ulong? ProgramHeaders => _auxiliary.ProgramHeaders;

    public IReadOnlyList<MappedRange> Files { get; }

    public IReadOnlyDictionary<uint, SystemCallState> SystemCalls => _calls;

    public IReadOnlyDictionary<uint, KernelThread?> KernelThreads => _copy.Threads;

    public bool HasDotNet => Files.Any(file => file.Path.EndsWith("/libcoreclr.so", StringComparison.Ordinal));

    public IReadOnlyList<Gap> Gaps => _copy.Gaps;

    public IEnumerable<Gap> Losses(bool isMini)
    {
        ulong bytes = _copy.LeftOut.Aggregate(0UL, (sum, range) => sum + range.Length);
        return LateMemory.GapOf(bytes, _copy.StoodStill, _reader.Late) is { } late ? [late] : [];
    }

    private StatFields? Stat() => StatFields.Read($"/proc/{_copy.Process}/stat");
}
