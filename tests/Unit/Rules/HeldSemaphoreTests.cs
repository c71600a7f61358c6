using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Semaphores of which it is known who has their entries.</summary>
public sealed class HeldSemaphoreTests
{
    private const ulong Holder = 0xf000;
    private const string Wait = "System.Threading.SemaphoreSlim.WaitCore";

    private static readonly LockId s_gate = new(LockKind.SemaphoreSlim, new Address(0x5000));
    private static readonly LockId s_other = new(LockKind.SemaphoreSlim, new Address(0x5100));
    private static readonly LockId s_monitor = SnapshotBuilder.Monitor(0xa000);

    [Fact]
    public void A_semaphore_and_a_monitor_that_two_threads_hold_crosswise_are_a_deadlock()
    {
        Verdict verdict = Judge(Two("System.Threading.Monitor.Enter_Slowpath", Wait)
            .Lock(s_monitor, 2, "App.Queues").HeldSemaphore(s_gate, [1])
            .Waits(1, s_monitor).Waits(2, s_gate));

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely, "HT1001"), (verdict.Kind, verdict.Confidence, verdict.Rule!.Id));
    }

    [Fact]
    public void The_same_is_none_where_who_has_the_semaphore_computes()
    {
        Verdict verdict = Judge(Two("App.Compute", Wait)
            .Lock(s_monitor, 2, "App.Queues").HeldSemaphore(s_gate, [1])
            .Waits(2, s_gate));

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    [Fact]
    public void Threads_that_have_all_entries_and_wait_for_one_more_are_a_deadlock()
    {
        Verdict verdict = Judge(Two(Wait, Wait).HeldSemaphore(s_gate, [1, 2]).Waits(1, s_gate).Waits(2, s_gate));

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.StartsWith("2 threads have all 2 entries of ", verdict.Title.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(verdict.Gaps, gap => gap.What.Contains("what ends the wait", StringComparison.Ordinal));
    }

    [Fact]
    public void One_of_them_that_does_something_else_gives_its_entry_back()
    {
        Verdict verdict = Judge(Two(Wait, "App.Compute").HeldSemaphore(s_gate, [1, 2]).Waits(1, s_gate));

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    [Fact]
    public void Who_waits_for_the_entry_that_it_has_waits_for_itself()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(1, Wait, "App.Post").HeldSemaphore(s_gate, [1]).Waits(1, s_gate));

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.EndsWith("whose one entry it has itself", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void An_async_method_that_has_the_entry_and_can_only_continue_on_who_waits_for_it_is_a_deadlock()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(1, Wait, "App.Close")
            .HeldSemaphore(s_gate, [], Holder)
            .Task(Holder, TaskKind.AsyncMethod, "App.SaveAsync").Needs(Holder, TaskNeedKind.Context, thread: 1)
            .Waits(1, s_gate));

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.Contains("App.SaveAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.EndsWith("which can only continue on that thread", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void An_async_method_that_has_the_entry_and_waits_for_a_time_gives_it_back()
    {
        Verdict verdict = Judge(Two(Wait, Wait)
            .HeldSemaphore(s_gate, [], Holder).Task(Holder, TaskKind.AsyncMethod, "App.SaveAsync")
            .Needs(Holder, TaskNeedKind.Timer, timer: TimeSpan.FromMilliseconds(20))
            .Waits(1, s_gate).Waits(2, s_gate));

        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
    }

    [Fact]
    public void An_async_method_does_not_wait_for_a_lock_that_nobody_is_seen_to_hold_where_a_thread_has_it()
    {
        FlowWait waits = new()
        {
            Kind = FlowWaitKind.Semaphore,
            Address = s_other.Address,
            Type = "System.Threading.SemaphoreSlim",
            Label = "App.Office._writer",
            Entries = new SemaphoreEntries(0, 1),
        };

        Assert.True(IsFound(waits));
        Assert.False(IsFound(waits with { HeldBy = new ThreadId(1) }));

        static bool IsFound(FlowWait waits)
            => Triage.Judge(SnapshotBuilder.Linux().Thread(1, "App.Compute").Flow("App.Office.EnterAsync", waits).Build())
                .Findings.Any(finding => finding.Rule.Id == "HT2011");
    }

    private static SnapshotBuilder Two(string first, string second)
        => SnapshotBuilder.Linux().Thread(1, first, "App.First").Thread(2, second, "App.Second");

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
