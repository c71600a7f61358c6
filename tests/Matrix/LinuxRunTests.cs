using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Matrix;

public sealed class LinuxRunTests : RunTests
{
    public static TheoryData<string, TargetFramework> Samples { get; } = Of(isWindows: false);

    [Theory]
    [MemberData(nameof(Samples))]
    public Task The_cores_of_a_sample_are_judged_as_declared(string sample, TargetFramework framework)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return CheckAsync(new MatrixRun(sample, framework, IsWindows: false));
    }
}
