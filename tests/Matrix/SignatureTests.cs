using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>What groups reports: the same hang has one signature on every .NET and in every kind of core, another hang another one.</summary>
public sealed class SignatureTests
{
    public static TheoryData<string> Samples { get; } = [.. SampleList.Managed];

    [Theory]
    [MemberData(nameof(Samples))]
    public async Task A_sample_has_one_signature(string sample)
    {
        string[] signatures = [.. (await CellsAsync(sample)).Select(cell => cell.Signature).OfType<string>().Distinct()];

        Assert.True(signatures.Length <= 1, string.Join('\n', signatures));
    }

    [Fact]
    public async Task No_two_samples_share_a_signature()
    {
        List<(string Sample, string Signature)> all = [];
        foreach (string sample in SampleList.Managed)
        {
            all.AddRange((await CellsAsync(sample)).Select(cell => cell.Signature).OfType<string>().Distinct().Select(signature => (sample, signature)));
        }

        Assert.NotEmpty(all);
        Assert.Empty(all.GroupBy(pair => pair.Signature).Where(group => group.Count() > 1).Select(group => $"{group.Key}: {string.Join(", ", group.Select(pair => pair.Sample))}"));
    }

    // Where a cell declares another verdict, the dump lacks what tells.
    private static async Task<IEnumerable<Cell>> CellsAsync(string sample)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        List<Cell> cells = [];
        foreach (TargetFramework framework in TargetFrameworks.All)
        {
            cells.AddRange(await Runs.CellsAsync(new MatrixRun(sample, framework, IsWindows: false)).WaitAsync(TestContext.Current.CancellationToken));
        }

        return cells.Where(cell => cell.Why is null);
    }
}
