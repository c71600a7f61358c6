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
    private const string BusyOwner = "BusySectionOwner";

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

    // Thread times, stacks, and the static data of modules, but no code.
    [Fact]
    public void An_owner_that_computes_below_a_static_section_is_named_where_its_waiters_are_on_their_stacks()
    {
        Verdict verdict = JudgeBusyOwner("0x1101", ImagesOf(BusyOwner)).Verdict;

        Assert.Equal((VerdictKind.BusyOwner, "HT3005"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Contains("for which 6 threads wait", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0x1101", false)]
    [InlineData("0x1000", false)]
    [InlineData("0x1000", true)]
    public void Where_its_waiters_or_their_lock_cannot_be_seen_it_is_not_called_busy_and_not_hung(string flags, bool hasImages)
    {
        Verdict verdict = JudgeBusyOwner(flags, hasImages ? ImagesOf(BusyOwner) : SymbolPath.Empty).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.NotEmpty(verdict.Gaps);
    }

    [Fact]
    public void With_image_files_no_image_is_missed()
        => Assert.DoesNotContain(Capture("0x1101", Images()).Gaps, gap => gap.What.StartsWith("image file", StringComparison.Ordinal));

    private static SymbolPath Images() => ImagesOf(Sample);

    private static SymbolPath ImagesOf(string sample)
        => SymbolPath.OfFolder(WindowsLab.SystemImages).Then(SymbolPath.OfFolder(WindowsLab.SampleImages(sample)));

    private static TriageResult JudgeBusyOwner(string flags, SymbolPath symbols)
        => Triage.Judge(TargetFile.Capture(WindowsLab.Dump(BusyOwner, flags), CaptureContext.Default with { Symbols = symbols }));

    private static TriageResult Judge(string flags, SymbolPath symbols) => Triage.Judge(Capture(flags, symbols));

    private static ProcessSnapshot Capture(string flags, SymbolPath symbols)
        => TargetFile.Capture(WindowsLab.Dump(Sample, flags), CaptureContext.Default with { Symbols = symbols });
}
