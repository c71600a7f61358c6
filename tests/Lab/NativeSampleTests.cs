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

    // Wine keeps no list of an SRW lock's waiters, so HT3006 is silent here; its waiters must be named all the same.
    [Fact]
    public void Waiters_of_an_SRW_lock_that_cannot_be_found_are_gaps_and_no_clean_bill()
    {
        ToolRun run = Tool.Run("analyze", WindowsLab.Dump("SrwConvoy", "0x1806"));

        string output = string.Join(' ', run.Out.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("\"writer\" waits for is unknown: it is in ntdll!RtlAcquireSRWLockExclusive", output, StringComparison.Ordinal);
        Assert.Contains("\"reader 1\" waits for is unknown: it is in ntdll!RtlAcquireSRWLockShared", output, StringComparison.Ordinal);
        Assert.Contains("\"reader 2\" waits for is unknown: it is in ntdll!RtlAcquireSRWLockShared", output, StringComparison.Ordinal);
    }

    // A sample can be there before the rule that it is for.
    private static bool IsCovered(string sample)
        => ExpectedVerdict.Of(sample) is { Kind: "NotHung" or "Inconclusive" } or { Rule: not null };
}
