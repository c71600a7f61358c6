using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class RestingLockOwnerRuleTests
{
    private const uint Owner = 0x10;
    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);
    private static readonly string[] s_sleep = ["ntdll!NtDelayExecution", "KERNELBASE!SleepEx", "app!hold"];
    private static readonly string[] s_read = ["ntdll!NtReadFile", "KERNELBASE!ReadFile", "app!load"];
    private static readonly string[] s_enter = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!look_up"];

    private static ProcessSnapshot Held(ThreadOptions owner, string[] frames, uint waiters = 1, TimeSpan? timeout = null, Trust trust = Trust.Read)
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows().Thread(Owner, owner, frames).Lock(s_section, Owner, "app.exe+0x10");
        for (uint waiter = Owner + 4; waiter <= Owner + (4 * waiters); waiter += 4)
        {
            builder.Thread(waiter, s_enter).Waits(waiter, s_section, timeout, trust: trust);
        }

        return builder.Build();
    }

    private static Verdict Judge(ThreadOptions owner, string[] frames, uint waiters = 1, TimeSpan? timeout = null, Trust trust = Trust.Read)
        => Triage.Judge(Held(owner, frames, waiters, timeout, trust)).Verdict;

    [Fact]
    public void An_owner_that_sleeps_for_ever_has_left_its_lock_behind()
    {
        Verdict verdict = Judge(new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, s_sleep);

        Assert.Equal((VerdictKind.Orphaned, Confidence.Likely, "HT3009"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(Owner), verdict.Culprit?.Thread);
        Assert.Equal(
            "Thread 0 (0x10) holds critical section app.exe+0x10 and sleeps forever (KERNELBASE!SleepEx in app!hold+0x14); 1 thread waits behind it",
            verdict.Title);
    }

    [Fact]
    public void An_owner_that_sleeps_for_a_time_gets_on_however_many_wait()
        => Assert.Equal(VerdictKind.NotHung, Judge(new ThreadOptions { Sleep = TimeSpan.FromMilliseconds(30) }, s_sleep, waiters: 8).Kind);

    [Theory]
    [InlineData(4.9, VerdictKind.NotHung)]
    [InlineData(60.0, VerdictKind.SlowWait)]
    public void An_owner_that_sleeps_for_long_keeps_others_waiting(double seconds, VerdictKind expected)
        => Assert.Equal(expected, Judge(new ThreadOptions { Sleep = TimeSpan.FromSeconds(seconds) }, s_sleep).Kind);

    [Theory]
    [InlineData(1, VerdictKind.NotHung)]
    [InlineData(4, VerdictKind.Inconclusive)]
    public void A_sleep_of_unknown_length_is_suspect_with_a_crowd_behind_it(uint waiters, VerdictKind expected)
        => Assert.Equal(expected, Judge(new ThreadOptions(), s_sleep, waiters).Kind);

    [Theory]
    [InlineData("app!compute")]
    [InlineData("app!")]
    [InlineData("ntdll!NtYieldExecution")]
    public void A_suspended_owner_is_held_up_from_outside_whatever_its_stack_says(string frame)
    {
        Verdict verdict = Judge(new ThreadOptions { IsSuspended = true }, [frame]);

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT3009"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
    }

    [Fact]
    public void A_suspended_thread_in_a_circle_of_locks_is_in_a_circle()
    {
        LockId other = SnapshotBuilder.Section(0xb000);
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(Owner, new ThreadOptions { IsSuspended = true }, s_enter).Lock(s_section, Owner).Waits(Owner, other)
            .Thread(0x14, s_enter).Lock(other, 0x14).Waits(0x14, s_section)
            .Build();

        Assert.Equal("HT3004", Triage.Judge(snapshot).Verdict.Rule?.Id);
    }

    [Fact]
    public void A_wait_with_a_timeout_ends_by_itself()
        => Assert.Equal(VerdictKind.NotHung, Judge(new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, s_sleep, timeout: TimeSpan.FromSeconds(5)).Kind);

    [Fact]
    public void A_worker_in_its_pool_is_where_its_innermost_frame_says()
        => Assert.Contains(
            "has returned to its pool (ntdll!NtWaitForWorkViaWorkerFactory+0x14)",
            Judge(new ThreadOptions(), ["ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!", "KERNEL32!BaseThreadInitThunk"]).Title.Text,
            StringComparison.Ordinal);

    [Fact]
    public void A_wait_for_any_of_several_things_may_end_without_the_owner()
    {
        LockId mutex = new(LockKind.Mutex, new Address(0x40));
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(Owner, new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, s_sleep).Lock(mutex, Owner)
            .Thread(0x14, "ntdll!NtWaitForMultipleObjects", "app!serve").Waits(0x14, mutex).OrAnEvent(0x14)
            .Build();

        Assert.NotEqual(VerdictKind.Orphaned, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_wait_that_is_a_guess_makes_the_finding_possible()
        => Assert.Equal(Confidence.Possible, Judge(new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, s_sleep, trust: Trust.Scanned).Confidence);

    [Fact]
    public void An_owner_in_input_is_the_suspect_of_an_open_case()
    {
        Verdict verdict = Judge(new ThreadOptions(), s_read, waiters: 3);

        Assert.Equal((VerdictKind.Inconclusive, new ThreadId(Owner)), (verdict.Kind, verdict.Culprit?.Thread));
        Gap gap = Assert.Single(verdict.Gaps, gap => gap.What.StartsWith("what ends the wait", StringComparison.Ordinal));
        Assert.Equal("what ends the wait of thread 1 (0x14) and 2 more", gap.What);
        Assert.Contains("waits for input or output (KERNELBASE!ReadFile in app!load+0x14)", gap.Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, VerdictKind.Orphaned)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void An_owner_that_waits_for_its_next_item_has_brought_the_lock_along_where_its_code_has_none(bool isFree, VerdictKind expected)
    {
        LockId stock = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait",
                "System.Collections.Concurrent.BlockingCollection.TryTake", "Shop.Worker.Work")
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "Shop.Stock.Count")
            .Lock(stock, 1).Waits(2, stock)
            .WaitsForSignal(1, 0x2000, "orders")
            .Build();

        Verdict verdict = Triage.Judge(snapshot with
        {
            Managed = Known.Read(snapshot.Managed!.Value with
            {
                LockFree = Known.Derived<IReadOnlyList<ThreadId>>(isFree ? [new ThreadId(1)] : []),
            }),
        }).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(isFree, verdict.Rule?.Id == "HT3009");
    }

    [Fact]
    public void The_loader_lock_is_a_lock_too()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(Owner, new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, [.. s_sleep, "ntdll!LdrLoadDll"])
            .Thread(0x14, "ntdll!NtWaitForSingleObject", "ntdll!RtlEnterCriticalSection", "ntdll!LdrLoadDll")
            .LoaderLock(Owner)
            .Build();

        Assert.Equal("HT3009", Triage.Judge(snapshot).Verdict.Rule?.Id);
    }
}
