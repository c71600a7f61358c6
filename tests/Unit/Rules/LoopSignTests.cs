using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>What a loop of machine code around a thread's place adds to the other signs.</summary>
public sealed class LoopSignTests
{
    private static readonly string[] s_yield = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "worker!poll"];
    private static readonly ThreadOptions s_busy = new() { Cpu = new CpuTime(TimeSpan.FromMinutes(50), TimeSpan.FromMinutes(5)) };
    private static readonly ThreadOptions s_unknown = new() { Cpu = null, Life = null };

    [Fact]
    public void The_verdict_names_the_loop()
    {
        Verdict verdict = Judge(s_busy with { Loop = Loop(2) }, s_yield);

        Assert.Contains("in a loop of 9 instructions (0x7ff600001000-0x7ff60000101f)", verdict.Culprit!.Role!.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, item => item.Source == "machine code" && item.Frame?.Text == "worker!poll+0x14" && item.Address == new Address(0x7ff600001000));
    }

    [Fact]
    public void A_yield_in_a_loop_is_a_possible_spin_where_CPU_times_are_missing()
    {
        Verdict verdict = Judge(s_unknown with { Loop = Loop(2) }, s_yield);

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Possible, "HT4001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("CPU time, which would confirm it, is not in the input", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Contains(verdict.Gaps, gap => gap.Why == "no thread times in the dump");
    }

    [Fact]
    public void A_yield_in_a_loop_without_CPU_spent_is_no_spin()
        => Assert.Equal(VerdictKind.NotHung, Judge(new ThreadOptions { Loop = Loop(2) }, s_yield).Kind);

    [Fact]
    public void An_owner_that_may_have_begun_to_spin_lately_is_possible_and_one_that_holds_nothing_is_left_alone()
    {
        ThreadOptions lately = new() { Cpu = new CpuTime(TimeSpan.FromSeconds(20), TimeSpan.Zero), Loop = Loop(2) };
        ProcessSnapshot held = SnapshotBuilder.Windows().Thread(0x6710, lately, s_yield)
            .Thread(0x1a2c, "ntdll!NtWaitForSingleObject", "ntdll!LdrLoadDll", "app!").LoaderLock(0x6710).Build();

        Verdict verdict = Triage.Judge(held).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("begun lately", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Equal(VerdictKind.NotHung, Judge(lately, s_yield).Kind);
    }

    [Theory]
    [InlineData("worker!", "HT4001")]
    [InlineData("ntdll!RtlEnterCriticalSection", "HT4002")]
    public void A_loop_that_pauses_waits_unless_it_is_the_systems_own(string frame, string rule)
        => Assert.Equal(rule, Judge(s_busy with { Loop = Loop(0, hasPause: true), IsInSystemCall = Known.Derived(false) }, frame).Rule?.Id);

    [Fact]
    public void A_loop_without_a_pause_is_a_computation()
        => Assert.Equal("HT4002", Judge(s_busy with { Loop = Loop(0) }, "app!compute").Rule?.Id);

    [Theory]
    [InlineData(false, VerdictKind.BusyNotHung)]
    [InlineData(true, VerdictKind.Inconclusive)]
    [InlineData(null, VerdictKind.Inconclusive)]
    public void A_busy_thread_in_code_that_nothing_names_computes_if_it_is_not_behind_a_system_call(bool? isInSystemCall, VerdictKind expected)
        => Assert.Equal(expected, Judge(s_busy with { IsInSystemCall = isInSystemCall is { } known ? Known.Derived(known) : null }, "user32!").Kind);

    [Theory]
    [InlineData(59.0, true, "HT4001")]
    [InlineData(59.0, false, null)]
    [InlineData(30.0, true, null)]
    public void A_sleep_is_one_for_no_time_only_in_a_loop_of_a_thread_that_hardly_ever_slept(double minutes, bool hasLoop, string? rule)
    {
        ThreadOptions options = new() { Cpu = new CpuTime(TimeSpan.Zero, TimeSpan.FromMinutes(minutes)), Loop = hasLoop ? Loop(2) : null };

        Assert.Equal(rule, Judge(options, "ntdll!NtDelayExecution", "KERNELBASE!SleepEx", "worker!poll").Rule?.Id);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(3)]
    public void A_loop_around_a_frame_that_is_not_there_is_not_believed(int frame)
        => Assert.DoesNotContain("in a loop of", Judge(s_busy with { Loop = Loop(frame, hasPause: true) }, s_yield).Title.Text, StringComparison.Ordinal);

    private static Known<LoopFacts> Loop(int frame, bool hasPause = false)
        => Known.Derived(new LoopFacts(new Address(0x7ff600001000), new Address(0x7ff60000101f), 9, hasPause, frame));

    private static Verdict Judge(ThreadOptions options, params string[] frames)
        => Triage.Judge(SnapshotBuilder.Windows().Thread(1, options, frames).Build()).Verdict;
}
