using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Matrix;

/// <summary>
/// Samples as a service is after a while: what hangs has run often before, and was compiled again with what was learnt of its calls. The
/// verdicts are those of the code as it starts.
/// </summary>
public sealed class WarmRunTests : RunTests
{
    public static TheoryData<string, TargetFramework> Samples { get; } =
        [.. MatrixRun.Warm.Select(run => (run.Sample, run.Framework))];

    [Theory]
    [MemberData(nameof(Samples))]
    public Task Warm_code_is_judged_as_any_other(string sample, TargetFramework framework)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return CheckAsync(new MatrixRun(sample, framework, IsWindows: false, CodeState.Warm));
    }
}
