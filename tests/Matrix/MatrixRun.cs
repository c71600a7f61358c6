using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>One start of one sample; all dumps of a run are of the same process.</summary>
internal sealed record MatrixRun(string Sample, TargetFramework Framework, bool IsWindows)
{
    /// <summary>Those of this tier: in the gate a minidump is taken on the newest .NET alone.</summary>
    public static IReadOnlyList<MatrixRun> All { get; } =
    [
        .. from sample in SampleList.Managed
           from framework in TargetFrameworks.All
           from isWindows in new[] { false, true }
           where Tier.IsWhole || !isWindows || framework == TargetFramework.Net10
           select new MatrixRun(sample, framework, isWindows),
    ];

    public IReadOnlyList<DumpKind> Kinds => [.. DumpKinds.All.Where(kind => kind.IsCore() != IsWindows)];

    public ExpectedCell Expected(DumpKind kind) => ExpectedCell.Of(Sample, Framework.Moniker(), kind);

    public override string ToString() => $"{Sample} on {Framework.Moniker()}";
}
