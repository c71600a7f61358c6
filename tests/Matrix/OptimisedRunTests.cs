using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Matrix;

/// <summary>
/// Samples as production code is: optimised throughout, so that of a call that waits any frame can be missing. The verdicts are those
/// of the code as it starts.
/// </summary>
public sealed class OptimisedRunTests : RunTests
{
    public static TheoryData<string, TargetFramework> Samples { get; } =
        [.. MatrixRun.Optimised.Select(run => (run.Sample, run.Framework))];

    [Theory]
    [MemberData(nameof(Samples))]
    public Task Optimised_code_is_judged_as_any_other(string sample, TargetFramework framework)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return CheckAsync(new MatrixRun(sample, framework, IsWindows: false, CodeState.Optimised));
    }
}
