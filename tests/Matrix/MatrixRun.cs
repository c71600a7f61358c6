using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.States;

namespace HangTriage.Tests.Matrix;

/// <summary>One start of one sample; all dumps of a run are of the same process.</summary>
/// <param name="Sample">The sample.</param>
/// <param name="Framework">What it runs on.</param>
/// <param name="IsWindows">It runs on Windows.</param>
/// <param name="Code">How its code is compiled.</param>
internal sealed record MatrixRun(string Sample, TargetFramework Framework, bool IsWindows, CodeState Code = CodeState.Cold)
{
    private static readonly string[] s_optimisedInGate =
    [
        "Healthy", "LostSignal", "MixedLockCycle", "PoolStarvation", "SemaphoreNeverReleased", "TaskResultDeadlock",
    ];

    /// <summary>Those of this tier: the gate judges a core of each sample on the newest .NET, and some of the others and of the minidumps.</summary>
    public static IReadOnlyList<MatrixRun> All { get; } =
    [
        .. from sample in SampleList.Managed
           from framework in TargetFrameworks.All
           from isWindows in new[] { false, true }
           where Tier.IsWhole || (isWindows ? IsMinidumpInGate(sample, framework) : GatePrograms.Judges(sample, framework))
           select new MatrixRun(sample, framework, isWindows),
    ];

    /// <summary>The samples of this tier that are run as optimised code: in the gate one of each kind of wait.</summary>
    public static IReadOnlyList<MatrixRun> Optimised { get; } =
    [
        .. SampleList.Managed
            .Where(sample => Tier.IsWhole || s_optimisedInGate.Contains(sample))
            .Select(sample => new MatrixRun(sample, TargetFramework.Net10, IsWindows: false, CodeState.Optimised)),
    ];

    /// <summary>The samples of this tier that warm up before they hang.</summary>
    public static IReadOnlyList<MatrixRun> Warm { get; } =
    [
        .. SampleList.Managed
            .Where(sample => SampleWarmth.Of(sample).Count > 0 && (Tier.IsWhole || GatePrograms.Warm.Contains(sample)))
            .Select(sample => new MatrixRun(sample, TargetFramework.Net10, IsWindows: false, CodeState.Warm)),
    ];

    /// <summary>All of this tier, whatever the state of their code.</summary>
    public static IReadOnlyList<MatrixRun> Whole { get; } = [.. All, .. Optimised, .. Warm];

    public IReadOnlyList<DumpKind> Kinds => Code == CodeState.Cold ? [.. DumpKinds.All.Where(IsTaken)] : [DumpKind.Full];

    public ExpectedCell Expected(DumpKind kind) => ExpectedCell.Of(Sample, Framework.Moniker(), kind);

    public override string ToString() => $"{Sample} on {Framework.Moniker()}{CodeText}";

    private static bool IsMinidumpInGate(string sample, TargetFramework framework)
        => framework == TargetFramework.Net10 && GatePrograms.Minidumps.Contains(sample);

    private string CodeText => Code switch
    {
        CodeState.Optimised => ", optimised",
        CodeState.Warm => ", warm",
        _ => string.Empty,
    };

    /// <summary>Cores of Linux or minidumps of Windows, and in the gate of the cores the full one alone.</summary>
    private bool IsTaken(DumpKind kind) => kind.IsCore() != IsWindows && (Tier.IsWhole || IsWindows || kind == DumpKind.Full);
}
