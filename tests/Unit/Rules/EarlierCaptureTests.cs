using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Two captures of one process, 10 s apart.</summary>
public sealed class EarlierCaptureTests
{
    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_life = TimeSpan.FromHours(1);
    private static readonly string[] s_spin = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "spin!poll", "ntdll!LdrShutdownThread"];
    private static readonly string[] s_victim = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrLoadDll", "app!load"];

    [Fact]
    public void The_same_loop_and_CPU_since_make_a_possible_spinner_a_likely_one()
    {
        Assert.Equal(Confidence.Possible, Triage.Judge(Loader(20)).Verdict.Confidence);

        Verdict verdict = Judge(Loader(20), Loader(11, earlier: true)).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("it was there 10 s earlier and has burned 9 s of CPU since", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, item => item.Claim.Text.EndsWith("was in the same loop 10 s earlier, and has used 9 s of CPU since", StringComparison.Ordinal));
        Assert.Empty(verdict.Contradictions);
    }

    [Fact]
    public void A_thread_that_has_done_nothing_since_does_not_spin()
        => Assert.NotEqual(VerdictKind.SpinningOwner, Judge(Loader(20), Loader(20, earlier: true)).Verdict.Kind);

    [Fact]
    public void A_thread_found_in_its_yields_again_spins_however_little_the_others_leave_it()
    {
        Verdict verdict = Judge(Loader(1.88), Loader(1.85, earlier: true)).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
    }

    [Fact]
    public void A_thread_that_was_busy_all_its_life_spins_on_where_others_compete_for_the_processors()
    {
        Verdict verdict = Judge(Loader(3_000), Loader(2_999, earlier: true)).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
    }

    [Fact]
    public void An_owner_that_was_elsewhere_is_contradicted()
    {
        ProcessSnapshot earlier = SnapshotBuilder.Windows().Earlier(s_between).Thread(0x6710, Options(2_990, earlier: true), "app!work").Build();

        Verdict verdict = Judge(Loader(3_000), earlier).Verdict;

        Assert.Contains(verdict.Contradictions, item => item.Claim.Text.EndsWith("was elsewhere 10 s earlier", StringComparison.Ordinal));
    }

    [Fact]
    public void Another_thread_that_got_the_same_id_is_not_compared()
    {
        ProcessSnapshot earlier = SnapshotBuilder.Windows().Earlier(s_between)
            .Thread(0x6710, Options(2_990, earlier: true) with { Life = TimeSpan.FromHours(2) }, "app!work").Build();

        Assert.Empty(Judge(Loader(3_000), earlier).Verdict.Contradictions);
    }

    [Fact]
    public void A_deadlock_whose_thread_was_elsewhere_is_one_step_less_sure_and_says_so()
    {
        Assert.Equal(Confidence.Certain, Triage.Judge(Circle("System.Threading.Monitor.Enter_Slowpath")).Verdict.Confidence);

        Verdict verdict = Judge(Circle("System.Threading.Monitor.Enter_Slowpath"), Circle("App.Other", earlier: true)).Verdict;

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("thread 1 (0x2) moved on between the captures", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Equal(new ThreadId(2), Assert.Single(verdict.Contradictions).Thread);
    }

    [Fact]
    public void A_deadlock_that_was_there_before_stays_as_sure_as_it_is()
    {
        Verdict verdict = Judge(
            Circle("System.Threading.Monitor.Enter_Slowpath"), Circle("System.Threading.Monitor.Enter_Slowpath", earlier: true)).Verdict;

        Assert.Equal(Confidence.Certain, verdict.Confidence);
        Assert.Empty(verdict.Contradictions);
    }

    [Fact]
    public void A_thread_that_waits_in_the_same_place_and_worked_in_between_went_on()
    {
        Verdict verdict = Judge(
            Circle("System.Threading.Monitor.Enter_Slowpath", cpu: 5), Circle("System.Threading.Monitor.Enter_Slowpath", earlier: true)).Verdict;

        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.Contains("continued in between", Assert.Single(verdict.Contradictions).Claim.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Captures_of_two_processes_are_not_joined_and_the_later_is_judged_alone()
    {
        ProcessSnapshot other = SnapshotBuilder.Windows().Pid(7).Earlier(s_between).Build();

        TriageResult result = Judge(Loader(20), other);

        Assert.Equal("it is of another process: 7, not 4242", Assert.Single(result.Case.Joins).WhyNot);
        Assert.Empty(result.Case.Earlier);
        Assert.Equal(Confidence.Possible, result.Verdict.Confidence);
    }

    [Fact]
    public void A_process_that_started_at_another_time_is_another_one()
    {
        ProcessSnapshot later = Started(Loader(20), SnapshotBuilder.CapturedAt.AddHours(-1));
        ProcessSnapshot earlier = Loader(11, earlier: true);

        Assert.Contains("started at", Judge(later, Started(earlier, SnapshotBuilder.CapturedAt.AddHours(-2))).Case.Joins[0].WhyNot, StringComparison.Ordinal);
        Assert.Null(Judge(later, Started(earlier, SnapshotBuilder.CapturedAt.AddHours(-1))).Case.Joins[0].WhyNot);
    }

    [Fact]
    public void A_capture_that_is_not_older_is_not_joined()
    {
        Assert.Equal("it was not taken before the other", Judge(Loader(20), Loader(11)).Case.Joins[0].WhyNot);
        Assert.Equal("it was not taken before the other", Judge(Loader(11, earlier: true), Loader(20)).Case.Joins[0].WhyNot);
    }

    [Fact]
    public void Without_CPU_times_two_looks_that_meet_a_yield_at_one_place_show_a_spinner()
    {
        ProcessSnapshot now = Yielder(SnapshotBuilder.Linux(), "System.Threading.Thread.Yield", "System.Threading.SpinWait.SpinOnceCore");
        SnapshotBuilder Before() => SnapshotBuilder.Linux().Earlier(s_between);

        Verdict verdict = Judge(now, Yielder(Before(), "System.Threading.Thread.UninterruptibleSleep0", "System.Threading.SpinWait.SpinOnceCore")).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(now).Verdict.Kind);
        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("it was there 10 s earlier too; its CPU time is not in the input", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Equal(VerdictKind.Inconclusive, Judge(now, Yielder(Before(), "App.Compute")).Verdict.Kind);
    }

    [Fact]
    public void Another_owner_that_slept_at_the_same_place_and_released_the_lock_shows_progress()
    {
        Verdict alone = Triage.Judge(TurnTakers.Turn(owner: 1)).Verdict;
        TriageResult result = Judge(TurnTakers.Turn(owner: 1), TurnTakers.Turn(owner: 3, earlier: s_between));

        Assert.Equal((VerdictKind.Orphaned, Confidence.Likely), (alone.Kind, alone.Confidence));
        Assert.Equal(VerdictKind.NotHung, result.Verdict.Kind);
        Assert.Contains(result.Verdict.Evidence, item => item.Claim.Text.Contains("another thread held the lock at this same place 10 s earlier", StringComparison.Ordinal));
        Assert.Contains(
            Assert.Single(result.Findings).Evidence, item => item.Claim.Text.EndsWith("10 s earlier: it has changed hands", StringComparison.Ordinal));
    }

    [Fact]
    public void Another_owner_that_did_something_else_makes_a_hang_younger_and_less_sure()
    {
        Verdict verdict = Judge(TurnTakers.Turn(owner: 1), TurnTakers.Turn(owner: 3, earlier: s_between, does: "App.Compute")).Verdict;

        Assert.Equal((VerdictKind.Orphaned, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains(verdict.Contradictions, item => item.Claim.Text.EndsWith("10 s earlier: it has changed hands", StringComparison.Ordinal));
    }

    [Fact]
    public void An_owner_that_sleeps_since_then_is_no_less_sure_and_says_since_when()
    {
        Verdict verdict = Judge(TurnTakers.Turn(owner: 1), TurnTakers.Turn(owner: 1, earlier: s_between)).Verdict;

        Assert.Equal((VerdictKind.Orphaned, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Equal("all 2 threads of the chain were at the same place 10 s earlier", verdict.Evidence[^1].Claim.Text);
    }

    [Fact]
    public void A_deadlock_says_since_when_and_where_that_is_assumed()
    {
        ProcessSnapshot last = Circle("System.Threading.Monitor.Enter_Slowpath");
        ProcessSnapshot first = Circle("System.Threading.Monitor.Enter_Slowpath", earlier: true);

        Assert.Equal("all 2 threads of the chain were at the same place 10 s earlier, and have used 0 ms of CPU since", Judge(last, first).Verdict.Evidence[^1].Claim.Text);
        Assert.Equal(
            "all 2 threads of the chain were at the same place 10 s earlier (assumed from the files' times), and have used 0 ms of CPU since",
            Judge(TimeOfFile(last), TimeOfFile(first)).Verdict.Evidence[^1].Claim.Text);
        Assert.Equal(
            "all 2 threads of the chain were at the same place in the earlier capture, and have used 0 ms of CPU since",
            Judge(TimeOfFile(first), TimeOfFile(last)).Verdict.Evidence[^1].Claim.Text);
    }

    private static ProcessSnapshot TimeOfFile(ProcessSnapshot snapshot)
        => snapshot with { Target = snapshot.Target with { CapturedAt = Known<DateTimeOffset>.Of(snapshot.Target.CapturedAt.Value, Trust.Assumed) } };

    private static ProcessSnapshot Yielder(SnapshotBuilder builder, params string[] top)
    {
        LockId gate = SnapshotBuilder.Monitor(0x1000);
        ThreadOptions options = new() { Cpu = null, Life = null };
        return builder
            .Thread(1, options, [.. top, "App.Spin", "App.Main"])
            .Thread(2, options, "System.Threading.Monitor.Enter_Slowpath", "App.Wait")
            .Lock(gate, 1).Waits(2, gate).Build();
    }

    private static TriageResult Judge(ProcessSnapshot last, ProcessSnapshot earlier) => Triage.Judge(Case.Of([earlier, last]));

    private static ProcessSnapshot Started(ProcessSnapshot snapshot, DateTimeOffset start)
        => snapshot with { Target = snapshot.Target with { StartedAt = Known.Read(start) } };

    private static ThreadOptions Options(double cpuSeconds, bool earlier) => new()
    {
        Cpu = new CpuTime(TimeSpan.FromSeconds(cpuSeconds), TimeSpan.Zero),
        Life = earlier ? s_life - s_between : s_life,
    };

    private static SnapshotBuilder Begin(SnapshotBuilder builder, bool earlier) => earlier ? builder.Earlier(s_between) : builder;

    private static ProcessSnapshot Loader(double cpuSeconds, bool earlier = false)
        => Begin(SnapshotBuilder.Windows(), earlier)
            .Thread(0x6710, Options(cpuSeconds, earlier) with { Loop = Known.Derived(new LoopFacts(new Address(0x10), new Address(0x20), 5, false, 2)) }, s_spin)
            .Thread(0x1a2c, Options(0, earlier), s_victim)
            .LoaderLock(0x6710).Build();

    private static ProcessSnapshot Circle(string top, bool earlier = false, double cpu = 0)
    {
        LockId first = SnapshotBuilder.Monitor(0x1000);
        LockId second = SnapshotBuilder.Monitor(0x2000);
        return Begin(SnapshotBuilder.Linux(), earlier)
            .Thread(1, Options(0, earlier), "System.Threading.Monitor.Enter_Slowpath", "App.First")
            .Thread(2, Options(cpu, earlier), top, "App.Second")
            .Lock(first, 1).Lock(second, 2).Waits(1, second).Waits(2, first).Build();
    }
}
