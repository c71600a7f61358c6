using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Lab;

/// <summary>The samples that are looked at while they hang: a few in every run, with HANGTRIAGE_LIVE=all every one that the lab runs.</summary>
internal static class LiveSamples
{
    private const string Framework = "net10.0";

    private static readonly string[] s_few = ["CriticalSectionCycle", "LoaderLockSpin", "HealthyNative", "MonitorDeadlock", "NeverCompletedTask"];

    // Wine keeps no list of an SRW lock's waiters: there is no verdict to compare with.
    private static readonly string[] s_withoutVerdict = ["SrwConvoy"];

    public static IReadOnlyList<string> OfThisRun { get; } = Environment.GetEnvironmentVariable("HANGTRIAGE_LIVE") == "all" ? All() : s_few;

    /// <summary>What a full dump of it is judged as.</summary>
    public static ExpectedVerdict VerdictOf(string sample)
        => SampleList.Native.Contains(sample) ? ExpectedVerdict.Of(sample) : CellOf(sample).Verdict!;

    private static IReadOnlyList<string> All() => [.. SampleList.Native.Except(s_withoutVerdict), .. SampleList.Managed.Where(sample => CellOf(sample).Verdict is not null)];

    // A cell that the lab skips says why in the sample's expected.json.
    private static ExpectedCell CellOf(string sample) => ExpectedCell.Of(sample, Framework, DumpKind.Windows);
}
