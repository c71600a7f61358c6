using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Linux.Images;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>The process that an ELF core was written of.</summary>
internal sealed class CoreProcess(DataTarget target, CoreNotes notes, CoreLosses losses, IRuntimeDoor runtime) : ILinuxProcess
{
    public TargetKind Kind => TargetKind.ElfCore;

    public Absence Absence => Absence.InCore;

    public IRuntimeDoor Runtime => runtime;

    public DataTarget Target => target;

    public Known<uint> OsBuild => NotRecorded<uint>("operating system build");

    public Known<uint> Pid => notes.Pid is uint pid ? Known.Read(pid) : NotRecorded<uint>("process id");

    public Known<uint> ProcessorCount => NotRecorded<uint>("processor count");

    public Known<DateTimeOffset> StartedAt => NotRecorded<DateTimeOffset>("start time of the process");

    public Known<DateTimeOffset> CapturedAt => NotRecorded<DateTimeOffset>("time of the capture");

    public Known<ProcessIdentity> Identity
    {
        get
        {
            const string What = "identity of the process";
            CoreMemory memory = new(target.DataReader, notes.Memory);
            return notes.Auxiliary == AuxiliaryVector.Empty
                ? NotRecorded<ProcessIdentity>(What)
                : Attempt.Read(What, () => Known.Read(IdentityReader.Read(notes.Auxiliary, (address, bytes) => memory.Read(address, bytes))));
        }
    }

    public string? Name => notes.ShortName;

    public ulong? ProgramHeaders => notes.Auxiliary.ProgramHeaders;

    public IReadOnlyList<MappedRange> Files => notes.Files;

    public IReadOnlyDictionary<uint, SystemCallState> SystemCalls => notes.SystemCalls;

    public CrashFacts? Crash => notes.Crash;

    public bool HasDotNet => notes.HasDotNet;

    public IReadOnlyList<Gap> Gaps => notes.MissingBytes > 0
        ? [new Gap("memory", $"the core is cut off: its headers state {notes.MissingBytes} bytes more than the file has")]
        : [];

    public IEnumerable<Gap> Losses(bool isMini) => losses.Gaps(isMini);

    private Known<T> NotRecorded<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, Absence.OfFact);
}
