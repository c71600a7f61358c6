using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Threads that wait for a lock whose owner does not make progress, for a reason that is no rule's.</summary>
public sealed class UnexplainedWaitTests
{
    private const uint Owner = 1;
    private static readonly LockId s_held = SnapshotBuilder.Monitor(0xa000);

    [Theory]
    [InlineData(false, VerdictKind.Orphaned)]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    public void An_owner_asleep_is_at_rest_where_its_system_call_has_no_timeout(bool? hasTimeout, VerdictKind expected)
        => Assert.Equal(expected, Judge(waiters: 1, "futex", hasTimeout, "System.Threading.Thread.Sleep", "App.Hold").Kind);

    [Theory]
    [InlineData(null, VerdictKind.Inconclusive)]
    [InlineData(false, VerdictKind.Inconclusive)]
    [InlineData(true, VerdictKind.NotHung)]
    public void An_owner_whose_input_may_never_come_is_not_called_healthy(bool? hasTimeout, VerdictKind expected)
    {
        Verdict verdict = Judge(waiters: 1, "recvmsg", hasTimeout, "Interop+Sys.ReceiveMessage", "System.Net.Sockets.NetworkStream.Read", "App.Hold");

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(
            expected == VerdictKind.Inconclusive,
            verdict.Gaps.Any(gap => gap.Why.Contains("waits for input or output (System.Net.Sockets.NetworkStream.Read in App.Hold)", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(4, null, VerdictKind.Inconclusive)]
    [InlineData(4, true, VerdictKind.NotHung)]
    [InlineData(3, null, VerdictKind.NotHung)]
    public void A_crowd_behind_a_sleep_is_not_called_healthy_unless_the_sleep_ends(int waiters, bool? hasTimeout, VerdictKind expected)
        => Assert.Equal(expected, Judge(waiters, "futex", hasTimeout, "System.Threading.Thread.Sleep", "App.Hold").Kind);

    [Theory]
    [InlineData(false, VerdictKind.NotHung)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void An_owner_that_is_just_entering_a_monitor_gets_on(bool isInSystemCall, VerdictKind expected)
        => Assert.Equal(expected, Judge(waiters: 1, isInSystemCall ? "futex" : null, null, "System.Threading.Monitor.Enter_Slowpath", "App.Hold").Kind);

    [Theory]
    [InlineData(false, VerdictKind.NotHung)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void A_thread_that_is_just_entering_a_critical_section_gets_on(bool isInSystemCall, VerdictKind expected)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, isInSystemCall ? ["ntdll!NtWaitForAlertByThreadId+0x14", "ntdll!RtlEnterCriticalSection+0x91", "app!work"] : ["ntdll!RtlEnterCriticalSection+0x91", "app!work"])
            .Build();

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(snapshot, 1, isInSystemCall ? "NtWaitForAlertByThreadId" : null)).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, VerdictKind.BusyNotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    [InlineData(null, VerdictKind.Inconclusive)]
    public void A_lock_that_was_given_back_a_moment_ago_is_not_held_for_long(bool? hasWokenWaiter, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(Owner, new ThreadOptions { Cpu = null }, "App.Compute").Lock(s_held, Owner).Woken(s_held, hasWokenWaiter);
        for (uint waiter = 2; waiter < 8; waiter++)
        {
            builder.Thread(waiter, "System.Threading.Monitor.Enter_Slowpath", "App.Enter").Waits(waiter, s_held);
        }

        Assert.Equal(expected, Triage.Judge(builder.Build()).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_lock_of_unknown_state_is_no_health_unless_it_is_passing_at_this_moment(bool isPassing, VerdictKind expected)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(Owner, "System.Threading.Monitor.Enter_Slowpath", "App.Enter")
            .Lock(s_held, owner: null).Waits(Owner, s_held).Build();
        ManagedFacts managed = snapshot.Managed!.Value;
        LockFacts unknown = managed.Locks.Value[0] with { IsHeld = Known.Unknown<bool>("held", "its owner is not written"), IsPassing = isPassing };

        Verdict verdict = Triage.Judge(snapshot with { Managed = Known.Read(managed with { Locks = Known.Read<IReadOnlyList<LockFacts>>([unknown]) }) }).Verdict;

        Assert.Equal(expected, verdict.Kind);
    }

    [Fact]
    public void A_thread_that_waits_for_any_of_several_handles_is_idle_and_names_them()
    {
        LockId mutex = new(LockKind.Mutex, new Address(0x40));
        SnapshotBuilder builder = SnapshotBuilder.Windows().Thread(Owner, "System.Threading.WaitHandle.WaitMultiple", "App.Serve")
            .LockWithoutOwner(mutex).Waits(Owner, mutex).OrAnEvent(Owner);

        TriageResult result = Triage.Judge(builder.Build());

        Assert.Equal(VerdictKind.NotHung, result.Verdict.Kind);
        Assert.Equal("any of mutex (0x40), event (0x48)", result.Threads[0].WaitsFor?.Label.Text);
    }

    [Fact]
    public void Spinners_at_a_SpinLock_are_no_crowd_behind_one_that_computes_and_are_behind_one_that_sleeps_without_end()
    {
        LockId spinLock = new(LockKind.SpinLock, new Address(0xc000));
        ProcessSnapshot Spinning(string top)
        {
            SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(Owner, new ThreadOptions { Cpu = null }, top, "App.Count").Lock(spinLock, Owner, "App.Counter");
            for (uint waiter = 2; waiter < 8; waiter++)
            {
                builder.Thread(waiter, new ThreadOptions { Cpu = null }, "System.Threading.SpinWait.SpinOnceCore", "System.Threading.SpinLock.ContinueTryEnter", "App.Count")
                    .Waits(waiter, spinLock).WithUnknownTimeout();
            }

            return builder.Build();
        }

        Assert.DoesNotContain(Triage.Judge(Spinning("App.Add")).Verdict.Gaps, gap => gap.Why.Contains("while 6 threads wait", StringComparison.Ordinal));
        Verdict verdict = Triage.Judge(SystemCalls.With(Spinning("System.Threading.Thread.Sleep"), Owner, "futex", hasTimeout: false)).Verdict;
        Assert.Equal((VerdictKind.Orphaned, Owner), (verdict.Kind, verdict.Culprit?.Thread?.Value));
    }

    [Theory]
    [InlineData(null, VerdictKind.Inconclusive)]
    [InlineData(20.0, VerdictKind.NotHung)]
    [InlineData(600.0, VerdictKind.Inconclusive)]
    public void An_owner_that_gives_up_its_wait_soon_comes_to_release_the_lock(double? seconds, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Monitor.Wait", "Redis.Client.Ask", "App.Till.Book").Lock(s_held, Owner)
            .WaitsForSignal(Owner, 0xd000, "answer", seconds is { } limit ? TimeSpan.FromSeconds(limit) : null)
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Till.Book").Waits(2, s_held).Build()).Verdict.Kind);

    [Theory]
    [InlineData(TaskNeedKind.Io, VerdictKind.Inconclusive)]
    [InlineData(TaskNeedKind.Timer, VerdictKind.NotHung)]
    public void An_owner_that_waits_for_a_task_which_may_never_get_its_answer_is_not_called_healthy(TaskNeedKind need, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "App.Fetch").Lock(s_held, Owner)
            .Task(0xd000, TaskKind.AsyncMethod, "App.FetchAsync").Needs(0xd000, need).WaitsForTask(Owner, 0xd000)
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Enter").Waits(2, s_held);

        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(
            expected == VerdictKind.Inconclusive,
            verdict.Gaps.Any(gap => gap.Why.Contains("App.FetchAsync (0xd000), which thread 0 (0x1) waits for, and when it does is unknown", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_sleeper_that_somebody_joins_is_no_hang()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Thread.Sleep", "App.Idle").Thread(2, "System.Threading.Thread.Join", "App.Main").Joins(2, Owner).Build();

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(SystemCalls.With(snapshot, Owner, "futex", hasTimeout: false)).Verdict.Kind);
    }

    [Fact]
    public void An_owner_that_waits_itself_says_for_what_and_in_which_call()
    {
        LockId semaphore = new(LockKind.SemaphoreSlim, new Address(0xb000));
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "App.Hold")
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Enter")
            .Lock(s_held, Owner).Waits(2, s_held)
            .Semaphore(semaphore, "System.Threading.SemaphoreSlim", 0, 1).Waits(Owner, semaphore, kind: WaitKind.Signal)
            .Build();

        TriageResult result = Triage.Judge(snapshot);

        Assert.Equal(VerdictKind.Inconclusive, result.Verdict.Kind);
        Assert.Equal(
            "its owner, thread 0 (0x1), waits (System.Threading.SemaphoreSlim.Wait in App.Hold) for System.Threading.SemaphoreSlim (0xb000), which has 0 of 1 entries left; who ends that is not recorded",
            result.Verdict.Gaps[0].Why);
        Assert.Equal("System.Threading.SemaphoreSlim (0xb000), which has 0 of 1 entries left", result.Threads[0].WaitsFor?.Label.Text);
    }

    [Fact]
    public void A_thread_that_waits_for_a_pulse_says_so()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Monitor.Wait", "App.Hold").Lock(s_held, null, "App.Bell").Waits(Owner, s_held, kind: WaitKind.Pulse).Build();

        Assert.Equal("a pulse of monitor of App.Bell (0xa000)", Triage.Judge(snapshot).Threads[0].WaitsFor?.Label.Text);
    }

    [Theory]
    [InlineData("System.Threading.Thread.Join", VerdictKind.Inconclusive)]
    [InlineData("App.Load", VerdictKind.NotHung)]
    public void Who_waits_for_a_static_constructor_is_stuck_where_the_thread_that_runs_one_is_not_seen_to_get_on(string top, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(Owner, top, "App.Settings..cctor", "[InlinedCallFrame]", "System.Runtime.CompilerServices.InitHelpers.InitClassSlow", "App.Main")
            .Thread(2, "[InlinedCallFrame]", "System.Runtime.CompilerServices.InitHelpers.InitClassSlow", "App.Work");

        Verdict verdict = Triage.Judge((expected == VerdictKind.Inconclusive ? builder.Joins(Owner, 2) : builder).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(
            expected == VerdictKind.Inconclusive,
            verdict.Gaps.Any(gap => gap.Why.Contains("thread 0 (0x1), which runs App.Settings..cctor", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("App.Settings..cctor", false, VerdictKind.Inconclusive)]
    [InlineData("App.Settings..cctor", true, VerdictKind.NotHung)]
    [InlineData("App.Settings.Load", false, VerdictKind.NotHung)]
    public void Before_NET_10_a_wait_in_the_runtime_may_be_for_a_static_constructor_that_another_thread_runs(string runs, bool hasTimeout, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Thread.Join", runs, "[HelperMethodFrame]", "App.Main")
            .Thread(2, "[HelperMethodFrame]", "App.Work");

        // Whoever waits for its end makes any wait of the other suspect; here the constructor alone does.
        ProcessSnapshot snapshot = (runs.EndsWith("cctor", StringComparison.Ordinal) ? builder.Joins(Owner, 2) : builder).Build();

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(snapshot, 2, "futex", hasTimeout)).Verdict.Kind);
    }

    private static Verdict Judge(int waiters, string? call, bool? hasTimeout, params string[] frames)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(Owner, ["[InlinedCallFrame]", .. frames]).Lock(s_held, Owner);
        for (uint waiter = 2; waiter < waiters + 2; waiter++)
        {
            builder.Thread(waiter, "System.Threading.Monitor.Enter_Slowpath", "App.Enter").Waits(waiter, s_held);
        }

        return Triage.Judge(SystemCalls.With(builder.Build(), Owner, call, hasTimeout)).Verdict;
    }
}
