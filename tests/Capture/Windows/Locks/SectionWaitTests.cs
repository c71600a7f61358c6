using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

public sealed class SectionWaitTests
{
    private const uint Owner = 0x100;
    private const uint Waiter = 0x104;
    private const uint Windows7 = 7601;

    private static NativeHang Hang(uint build = 22631)
    {
        NativeHang hang = new(build);
        hang.WriteLoaderLock();
        hang.Idle(Owner);
        return hang;
    }

    [Fact]
    public void Register_wait_block_table_and_count_agree()
    {
        NativeHang hang = Hang();
        ulong section = hang.Held(0, Owner, 1);
        hang.Enter(Waiter, section, WaitTraces.All);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        WaitFacts wait = Assert.Single(snapshot.Waits());
        Assert.Equal((new ThreadId(Waiter), WaitKind.Acquire), (wait.Thread, wait.Kind));
        Assert.Equal(new LockId(LockKind.CriticalSection, new Address(section)), wait.Lock);
        Assert.Equal(Trust.Derived, wait.Trust);
        Assert.StartsWith("register rbx of RtlEnterCriticalSection", wait.Source, StringComparison.Ordinal);
        Assert.Contains("WaitOnAddress table", wait.Source, StringComparison.Ordinal);
        Assert.EndsWith("LockCount counts as many", wait.Source, StringComparison.Ordinal);
        LockFacts held = Assert.Single(snapshot.Locks());
        Assert.Equal((wait.Lock, new ThreadId(Owner), 1u), (held.Id, held.Owner.Value, held.WaiterCount.Value));
        Assert.Empty(snapshot.Gaps);
    }

    [Theory]
    [InlineData(WaitTraces.Register, Trust.Derived, "register rbx")]
    [InlineData(WaitTraces.StackWord, Trust.Scanned, "stack at 0x")]
    [InlineData(WaitTraces.WaitBlock, Trust.Scanned, "(wait block)")]
    [InlineData(WaitTraces.Table, Trust.Scanned, "WaitOnAddress table")]
    public void One_trace_is_enough_and_its_trust_says_which(WaitTraces traces, Trust trust, string source)
    {
        NativeHang hang = Hang();
        hang.Enter(Waiter, hang.Held(0, Owner, 1), traces);

        WaitFacts wait = Captured.Of(hang.Process).WaitOf(Waiter)!;
        Assert.Equal(trust, wait.Trust);
        Assert.Contains(source, wait.Source, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_code_in_the_dump_the_table_alone_tells_and_is_assumed()
    {
        NativeHang hang = Hang();
        ulong section = hang.Held(0, Owner, 1);
        hang.Enter(Waiter, section, WaitTraces.All);

        WaitFacts wait = Captured.Of(hang.Process, SyntheticContents.All & ~SyntheticContents.Images).WaitOf(Waiter)!;
        Assert.Equal((Trust.Assumed, section), (wait.Trust, wait.Lock.Address.Value));
    }

    [Fact]
    public void Without_code_and_table_nothing_tells_who_waits()
    {
        NativeHang hang = Hang(Windows7);
        hang.Enter(Waiter, hang.Held(0, Owner, 1), WaitTraces.All);

        WindowsFacts windows = Captured.Of(hang.Process, SyntheticContents.All & ~SyntheticContents.Images).Windows!;
        Assert.Contains("Windows 7601", windows.Waits.Gap?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_trace_the_wait_is_a_gap()
    {
        NativeHang hang = Hang();
        hang.Enter(Waiter, hang.Held(0, Owner, 1), WaitTraces.None);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Empty(snapshot.Waits());
        Assert.Contains("0x104 waits for in RtlEnterCriticalSection", snapshot.GapOf("critical section that")?.What, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(-2, 1, Owner)] // nobody waits
    [InlineData(-1, 0, Owner)] // free
    [InlineData(-5, 1, Owner)] // changing hands
    [InlineData(-6, 0, Owner)] // entered never
    [InlineData(-6, 1, Waiter)] // its own
    [InlineData(-6, 1, 0x103u)] // no thread id is odd
    [InlineData(1, 1, Owner)] // Wine's count in Windows
    [InlineData(int.MinValue, 1, Owner)] // half a billion waiters
    [InlineData(-6, int.MaxValue, Owner)]
    public void What_nobody_else_holds_with_a_waiter_is_not_what_a_thread_waits_for(int lockCount, int recursion, uint owner)
    {
        NativeHang hang = Hang();
        ulong section = hang.Section(0, new SyntheticCriticalSection { LockCount = lockCount, RecursionCount = recursion, OwningThread = owner });
        hang.Enter(Waiter, section, WaitTraces.All);

        Assert.Empty(Captured.Of(hang.Process).Waits());
    }

    [Theory]
    [InlineData(-7, WaitTraces.Register, true)]
    [InlineData(-7, WaitTraces.WaitBlock, true)]
    [InlineData(-7, WaitTraces.StackWord, false)] // it may be left from before
    [InlineData(-5, WaitTraces.Register, false)] // nobody was told to try
    public void What_was_given_back_a_moment_ago_is_waited_for_still(int lockCount, WaitTraces traces, bool isFound)
    {
        NativeHang hang = Hang();
        ulong section = hang.Section(0, new SyntheticCriticalSection { LockCount = lockCount, RecursionCount = 0, OwningThread = 0 });
        hang.Enter(Waiter, section, traces);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);

        Assert.Equal(isFound ? [section] : [], snapshot.Waits().Select(wait => wait.Lock.Address.Value));
        Assert.Equal(isFound, snapshot.Locks().Any(@lock => @lock.IsPassing));
    }

    [Fact]
    public void A_debug_record_that_leads_elsewhere_excludes_a_section()
    {
        NativeHang hang = Hang();
        ulong section = hang.Section(0, new SyntheticCriticalSection
        {
            LockCount = -6, RecursionCount = 1, OwningThread = Owner, DebugInfo = hang.DebugOf(5),
        });
        hang.Enter(Waiter, section, WaitTraces.Register);

        Assert.Empty(Captured.Of(hang.Process).Waits());
    }

    [Fact]
    public void Of_two_that_fit_neither_is_taken()
    {
        NativeHang hang = Hang();
        hang.Enter(Waiter, hang.Held(0, Owner, 1), WaitTraces.Register, hang.Held(1, Owner, 1));

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Empty(snapshot.Waits());
        Assert.Contains("2 sections fit", snapshot.GapOf("0x104")?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void Of_two_that_fit_the_one_with_a_wait_block_is_taken_and_stays_a_guess()
    {
        NativeHang hang = Hang(Windows7);
        ulong section = hang.Held(0, Owner, 1);
        hang.Enter(Waiter, section, WaitTraces.WaitBlock, hang.Held(1, Owner, 1));

        WaitFacts wait = Captured.Of(hang.Process).WaitOf(Waiter)!;
        Assert.Equal((Trust.Scanned, section), (wait.Trust, wait.Lock.Address.Value));
    }

    [Fact]
    public void Of_two_that_fit_the_one_whose_waiters_are_all_found_is_excluded()
    {
        NativeHang hang = Hang(Windows7);
        ulong section = hang.Held(0, Owner, 1);
        ulong other = hang.Held(1, Owner, 1);
        hang.Enter(Waiter, section, WaitTraces.StackWord, other);
        hang.Enter(Waiter + 4, other, WaitTraces.Register);

        WaitFacts wait = Captured.Of(hang.Process).WaitOf(Waiter)!;
        Assert.Equal((Trust.Scanned, section), (wait.Trust, wait.Lock.Address.Value));
    }

    [Fact]
    public void A_count_that_differs_from_the_waiters_found_is_said()
    {
        NativeHang hang = Hang();
        ulong section = hang.Held(0, Owner, 5);
        hang.Enter(Waiter, section, WaitTraces.All);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Equal("its LockCount counts 5 and 1 were found", snapshot.GapOf("waiters of the critical section")?.Why);
        Assert.DoesNotContain("as many", snapshot.WaitOf(Waiter)!.Source, StringComparison.Ordinal);
    }

    [Fact]
    public void An_owner_that_is_gone_stays_the_owner()
    {
        NativeHang hang = Hang();
        hang.Enter(Waiter, hang.Held(0, 0x9998, 1), WaitTraces.All);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Equal(new ThreadId(0x9998), Assert.Single(snapshot.Locks()).Owner.Value);
        Assert.DoesNotContain(snapshot.Threads.Value, thread => thread.OsId.Value == 0x9998);
        Assert.NotNull(snapshot.WaitOf(Waiter));
    }

    [Fact]
    public void A_thread_whose_block_says_so_waits_for_the_loader_lock()
    {
        NativeHang hang = new();
        hang.WriteLoaderLock(new SyntheticCriticalSection { LockCount = -2, RecursionCount = 1, OwningThread = Owner });
        hang.Idle(Owner).Teb.SameTebFlags(0x1000);
        hang.Idle(Waiter).Teb.WaitingOnLoaderLock(1);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        WaitFacts wait = Assert.Single(snapshot.Waits());
        Assert.Equal((new ThreadId(Waiter), LockKind.LoaderLock, Trust.Assumed), (wait.Thread, wait.Lock.Kind, wait.Trust));
        Assert.Empty(snapshot.Locks());
        Assert.True(snapshot.Threads.Value[0].Teb!.Value.IsLoadOwner.Value);
    }
}
