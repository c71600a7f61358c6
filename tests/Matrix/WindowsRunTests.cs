using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Matrix;

public sealed class WindowsRunTests : RunTests
{
    public static TheoryData<string, TargetFramework> Samples { get; } = Of(isWindows: true);

    [Theory]
    [MemberData(nameof(Samples))]
    public Task The_minidump_of_a_sample_is_judged_as_declared(string sample, TargetFramework framework)
    {
        WindowsLab.Require();
        return CheckAsync(new MatrixRun(sample, framework, IsWindows: true));
    }
}
