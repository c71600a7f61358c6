using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Lab;

/// <summary>Every C sample, hung for real, dumped by the real MiniDumpWriteDump, judged by the real tool.</summary>
public sealed class NativeSampleTests
{
    public static TheoryData<string> Samples { get; } = [.. SampleList.Native.Where(IsCovered)];

    [Theory]
    [MemberData(nameof(Samples))]
    public void The_full_dump_of_a_sample_is_judged_as_it_expects(string sample)
    {
        string dump = WindowsLab.Dump(sample, "0x1806");

        ToolRun run = Tool.Run("analyze", dump, "--format", "json");

        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of(sample), run));
    }

    // A sample can be there before the rule that it is for.
    private static bool IsCovered(string sample)
        => ExpectedVerdict.Of(sample) is { Kind: "NotHung" } or { Rule: not null };
}
