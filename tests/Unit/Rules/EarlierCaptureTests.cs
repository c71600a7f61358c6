using HangTriage.Facts;
using HangTriage.Rules;
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

        Verdict verdict = Triage.Judge(Loader(20), Loader(11, earlier: true)).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("it was there 10s earlier and has burned 9s of CPU since", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, item => item.Claim.EndsWith("was in the same loop 10s earlier, and has used 9s of CPU since", StringComparison.Ordinal));
        Assert.Empty(verdict.Contradictions);
    }

    [Fact]
    public void A_thread_that_has_done_nothing_since_does_not_spin()
        => Assert.NotEqual(VerdictKind.SpinningOwner, Triage.Judge(Loader(20), Loader(20, earlier: true)).Verdict.Kind);

    [Fact]
    public void A_thread_that_was_busy_all_its_life_spins_on_where_others_compete_for_the_processors()
    {
        Verdict verdict = Triage.Judge(Loader(3_000), Loader(2_999, earlier: true)).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
    }

    [Fact]
    public void An_owner_that_was_elsewhere_is_contradicted()
    {
        ProcessSnapshot earlier = SnapshotBuilder.Windows().Earlier(s_between).Thread(0x6710, Options(2_990, earlier: true), "app!work").Build();

        Verdict verdict = Triage.Judge(Loader(3_000), earlier).Verdict;

        Assert.Contains(verdict.Contradictions, item => item.Claim.EndsWith("was elsewhere 10s earlier", StringComparison.Ordinal));
    }

    [Fact]
    public void Another_thread_that_got_the_same_id_is_not_compared()
    {
        ProcessSnapshot earlier = SnapshotBuilder.Windows().Earlier(s_between)
            .Thread(0x6710, Options(2_990, earlier: true) with { Life = TimeSpan.FromHours(2) }, "app!work").Build();

        Assert.Empty(Triage.Judge(Loader(3_000), earlier).Verdict.Contradictions);
    }

    [Fact]
    public void A_deadlock_whose_thread_was_elsewhere_is_one_step_less_sure_and_says_so()
    {
        Assert.Equal(Confidence.Certain, Triage.Judge(Circle("System.Threading.Monitor.Enter_Slowpath"), null as ProcessSnapshot).Verdict.Confidence);

        Verdict verdict = Triage.Judge(Circle("System.Threading.Monitor.Enter_Slowpath"), Circle("App.Other", earlier: true)).Verdict;

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("thread 1 (0x2) moved on between the captures", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Equal(new ThreadId(2), Assert.Single(verdict.Contradictions).Thread);
    }

    [Fact]
    public void A_deadlock_that_was_there_before_stays_as_sure_as_it_is()
    {
        Verdict verdict = Triage.Judge(
            Circle("System.Threading.Monitor.Enter_Slowpath"), Circle("System.Threading.Monitor.Enter_Slowpath", earlier: true)).Verdict;

        Assert.Equal(Confidence.Certain, verdict.Confidence);
        Assert.Empty(verdict.Contradictions);
    }

    [Fact]
    public void A_thread_that_waits_in_the_same_place_and_worked_in_between_went_on()
    {
        Verdict verdict = Triage.Judge(
            Circle("System.Threading.Monitor.Enter_Slowpath", cpu: 5), Circle("System.Threading.Monitor.Enter_Slowpath", earlier: true)).Verdict;

        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.Contains("went on in between", Assert.Single(verdict.Contradictions).Claim, StringComparison.Ordinal);
    }

    [Fact]
    public void Captures_of_two_processes_are_not_joined_and_the_later_is_judged_alone()
    {
        ProcessSnapshot other = SnapshotBuilder.Windows().Pid(7).Earlier(s_between).Build();

        TriageResult result = Triage.Judge(Loader(20), other);

        Assert.Equal("it is of another process: 7, not 4242", result.WhyEarlierIsNotUsed);
        Assert.Null(result.Earlier);
        Assert.Equal(Confidence.Possible, result.Verdict.Confidence);
    }

    [Fact]
    public void A_process_that_started_at_another_time_is_another_one()
    {
        ProcessSnapshot later = Started(Loader(20), SnapshotBuilder.CapturedAt.AddHours(-1));
        ProcessSnapshot earlier = Loader(11, earlier: true);

        Assert.Contains("started at", Triage.Judge(later, Started(earlier, SnapshotBuilder.CapturedAt.AddHours(-2))).WhyEarlierIsNotUsed, StringComparison.Ordinal);
        Assert.Null(Triage.Judge(later, Started(earlier, SnapshotBuilder.CapturedAt.AddHours(-1))).WhyEarlierIsNotUsed);
    }

    [Fact]
    public void A_capture_that_is_not_older_is_not_joined()
    {
        Assert.Equal("it was not taken before the other", Triage.Judge(Loader(20), Loader(11)).WhyEarlierIsNotUsed);
        Assert.Equal("it was not taken before the other", Triage.Judge(Loader(11, earlier: true), Loader(20)).WhyEarlierIsNotUsed);
    }

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
