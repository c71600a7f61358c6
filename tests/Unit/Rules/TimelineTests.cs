using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Time;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>What a case of several samples, 10 s apart, says of a thread, a lock and a task.</summary>
public sealed class TimelineTests
{
    private const uint Thread = 1;

    private static readonly LockId s_section = SnapshotBuilder.Section(0x1000);
    private static readonly LockId s_other = SnapshotBuilder.Section(0x2000);

    [Fact]
    public void One_sample_answers_nothing()
    {
        RuleContext context = Over([Standing("app!wait")]);

        Assert.True(context.Timeline.IsOneInstant);
        Assert.Null(context.Timeline.Of(context.Threads[0].Thread));
    }

    [Theory]
    [InlineData(new[] { "app!wait", "app!wait", "app!wait" }, 3, 20)]
    [InlineData(new[] { "app!work", "app!wait", "app!wait" }, 2, 10)]
    [InlineData(new[] { "app!wait", "app!work", "app!wait" }, 1, 10)]
    public void A_thread_has_been_at_its_place_for_as_long_as_every_sample_back_shows_it_there(string[] places, int samples, double seconds)
    {
        ThreadHistory history = HistoryOf([.. places.Select(Standing)])!;

        Assert.Equal((samples, seconds, samples == 1), (history.Samples, history.Between.Value.TotalSeconds, history.HasMovedOn));
    }

    [Fact]
    public void Processor_time_counts_from_the_first_sample_of_the_row()
    {
        ThreadHistory history = HistoryOf([Burned(1), Burned(2), Burned(9)])!;

        Assert.Equal((TimeSpan.FromSeconds(8), true, true), (history.Cpu, history.IsBusy, history.IsSameLoop));
    }

    [Theory]
    [InlineData(4, false)]
    [InlineData(9, false)]
    [InlineData(10, true)]
    [InlineData(40, true)]
    public void A_thread_that_left_the_processor_more_often_than_the_stops_make_it_has_moved_on(long switches, bool hasMoved)
    {
        ThreadHistory history = HistoryOf([Switched(100), Switched(102), Switched(100 + switches)])!;

        Assert.Equal((true, hasMoved, hasMoved), (history.IsSamePlace, history.HasWaitedAnew, history.HasMovedOn));
    }

    [Fact]
    public void A_thread_that_did_not_live_then_has_no_history()
        => Assert.Null(HistoryOf([builder => builder.Thread(2, "app!wait"), Standing("app!wait")]));

    [Fact]
    public void Another_lock_at_the_same_place_is_another_wait()
    {
        Assert.False(HistoryOf([Waiting(s_section), Waiting(s_section)])!.HasMovedOn);
        Assert.True(HistoryOf([Waiting(s_other), Waiting(s_section)])!.HasMovedOn);
    }

    [Fact]
    public void The_address_of_a_managed_object_can_change_and_proves_no_other_wait()
    {
        ThreadHistory history = HistoryOf([Waiting(SnapshotBuilder.Monitor(0x1000)), Waiting(SnapshotBuilder.Monitor(0x2000))])!;

        Assert.Null(history.IsSameWait);
        Assert.False(history.HasMovedOn);
    }

    [Theory]
    [InlineData(1u, true)]
    [InlineData(2u, false)]
    [InlineData(null, false)]
    public void A_lock_has_the_same_owner_or_another(uint? ownerThen, bool isSame)
    {
        RuleContext context = Over([builder => builder.Lock(s_section, ownerThen), builder => builder.Lock(s_section, 1)]);

        LockHistory history = context.Timeline.Of(context.Find(s_section)!)!;

        Assert.Equal((isSame, ownerThen), (history.IsSameOwner, history.OwnerThen?.Value));
        Assert.Equal(10, history.Between.Value.TotalSeconds);
    }

    [Fact]
    public void A_task_is_in_the_same_state_or_another()
    {
        RuleContext context = Over([builder => builder.Task(0x9000, TaskKind.Promise), builder => builder.Task(0x9000, TaskKind.Promise)]);
        TaskFacts task = context.FindTask(new Address(0x9000))!;

        Assert.True(context.Timeline.Of(task)!.IsSameState);
        TaskHistory begun = context.Timeline.Of(task with { State = Known.Read(TaskState.Running) })!;
        Assert.Equal((false, TaskState.WaitingForActivation), (begun.IsSameState, begun.StateThen));
        Assert.Null(context.Timeline.Of(task with { Method = "App.Other" }));
    }

    private static ThreadHistory? HistoryOf(Func<SnapshotBuilder, SnapshotBuilder>[] samples)
    {
        RuleContext context = Over(samples);
        return context.Timeline.Of(context.Find(new ThreadId(Thread))!.Thread);
    }

    private static RuleContext Over(Func<SnapshotBuilder, SnapshotBuilder>[] samples)
        => new(Case.Of(
        [
            .. samples.Select((add, index) => add(SnapshotBuilder.Windows().Earlier(TimeSpan.FromSeconds(10 * (samples.Length - 1 - index)))).Build()),
        ]));

    private static Func<SnapshotBuilder, SnapshotBuilder> Standing(string place)
        => builder => builder.Thread(Thread, new ThreadOptions { Cpu = null, Life = null }, place);

    private static Func<SnapshotBuilder, SnapshotBuilder> Switched(long count) => builder => builder.Thread(
        Thread,
        new ThreadOptions { Cpu = null, Life = null, Kernel = new KernelThreadFacts(KernelThreadState.Sleeping, Known.Read(count), Known.Read(string.Empty)) },
        "app!wait");

    private static Func<SnapshotBuilder, SnapshotBuilder> Burned(double seconds)
        => builder => builder.Thread(Thread, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = null }, "app!work");

    private static Func<SnapshotBuilder, SnapshotBuilder> Waiting(LockId @lock)
        => builder => builder.Thread(Thread, new ThreadOptions { Life = null }, "ntdll!NtWaitForAlertByThreadId", "app!wait").Lock(@lock, 2).Waits(Thread, @lock);
}
