using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>A real small dump, which holds no code, with and without the images that it was made of.</summary>
public sealed class SmallDumpTests
{
    private const string Sample = "LoaderLockSpin";

    [Fact]
    public void With_image_files_a_small_dump_is_judged_like_a_full_one()
    {
        Verdict full = Judge("0x1806", SymbolPath.Empty).Verdict;
        Verdict small = Judge("0x1101", Images()).Verdict;

        Assert.Equal(VerdictKind.SpinningOwner, full.Kind);
        Assert.Equal(full.Kind, small.Kind);
        Assert.Equal(full.Rule, small.Rule);
        Assert.Equal(full.Signature, small.Signature);
        Assert.Equal(full.Confidence, small.Confidence);
    }

    [Fact]
    public void Without_image_files_a_small_dump_says_which_module_stopped_each_walk()
        => Assert.All(
            Capture("0x1101", SymbolPath.Empty).Threads.Value,
            thread => Assert.Matches(@"unwind data of \S+\.(dll|exe)\+0x", thread.Stack.Stopped!.Why));

    // The loader lock of this one is free: nothing but the stacks, which tell nothing, could show that it hangs.
    [Fact]
    public void Without_image_files_a_deadlock_is_not_called_healthy()
    {
        string dump = WindowsLab.Dump("CriticalSectionCycle", "0x1101");
        Verdict verdict = Triage.Judge(TargetFile.Capture(dump, CaptureContext.Default with { Symbols = SymbolPath.Empty })).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.What == "what the threads do");
    }

    [Fact]
    public void With_image_files_no_image_is_missed()
        => Assert.DoesNotContain(Capture("0x1101", Images()).Gaps, gap => gap.What.StartsWith("image file", StringComparison.Ordinal));

    private static SymbolPath Images()
        => SymbolPath.OfFolder(WindowsLab.SystemImages).Then(SymbolPath.OfFolder(WindowsLab.SampleImages(Sample)));

    private static TriageResult Judge(string flags, SymbolPath symbols) => Triage.Judge(Capture(flags, symbols));

    private static ProcessSnapshot Capture(string flags, SymbolPath symbols)
        => TargetFile.Capture(WindowsLab.Dump(Sample, flags), CaptureContext.Default with { Symbols = symbols });
}
