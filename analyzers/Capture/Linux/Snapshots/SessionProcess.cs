using System.Collections.ObjectModel;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>A Linux process that a debugger shows.</summary>
internal sealed class SessionProcess(DataTarget target, uint? pid, string? program, IRuntimeDoor? runtime) : ILinuxProcess
{
    public TargetKind Kind => TargetKind.DebuggerSession;

    public Absence Absence => Absence.InDebugger;

    public IRuntimeDoor Runtime { get; } = runtime ?? new CoreRuntime(target);

    public DataTarget Target => target;

    public Known<uint> OsBuild => NotTold<uint>("operating system build");

    public Known<uint> Pid => pid is { } id ? Known.Read(id) : NotTold<uint>("process id");

    public Known<uint> ProcessorCount => NotTold<uint>("processor count");

    public Known<DateTimeOffset> StartedAt => NotTold<DateTimeOffset>("start time of the process");

    public Known<DateTimeOffset> CapturedAt => NotTold<DateTimeOffset>("time of the capture");

    public Known<ProcessIdentity> Identity => NotTold<ProcessIdentity>("identity of the process");

    public string? Name => program;

    public ulong? ProgramHeaders => null;

    public IReadOnlyList<MappedRange> Files => [];

    public IReadOnlyDictionary<uint, SystemCallState> SystemCalls => ReadOnlyDictionary<uint, SystemCallState>.Empty;

    public bool HasDotNet => false;

    public IReadOnlyList<Gap> Gaps => [];

    public IEnumerable<Gap> Losses(bool isMini) => [];

    private Known<T> NotTold<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, Absence.OfFact);
}
