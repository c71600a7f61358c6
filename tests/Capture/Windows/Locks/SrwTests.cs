using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

public sealed class SrwTests
{
    private const uint Owner = 0x100;
    private const uint First = 0x104;
    private const uint Second = 0x108;
    private const uint Windows24H2 = 26100;
    private const ulong Locked = 1;
    private const ulong Waiting = 2;

    /// <summary>A lock that two threads wait for; the word points to the newer one's block.</summary>
    private static (NativeHang Hang, ulong Lock, SyntheticThread Owner) Hang(uint build = 22631, ulong flags = Locked | Waiting)
    {
        NativeHang hang = new(build);
        hang.WriteLoaderLock();
        SyntheticThread owner = hang.Idle(Owner);
        ulong address = hang.Heap.Address + 0x2000;
        SyntheticThread first = hang.AcquireSrw(First, address, 0);
        SyntheticThread second = hang.AcquireSrw(Second, address, NativeHang.SrwBlockOf(first));
        Assert.Equal(0UL, NativeHang.SrwBlockOf(second) % 16);
        hang.Heap.U64(0x2000, NativeHang.SrwBlockOf(second) | flags);
        return (hang, address, owner);
    }

    [Fact]
    public void Waiters_are_found_by_the_chain_that_has_their_blocks()
    {
        (NativeHang hang, ulong address, _) = Hang();
        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Equal([First, Second], snapshot.Waits().Select(wait => wait.Thread.Value));
        Assert.All(snapshot.Waits(), wait =>
        {
            Assert.Equal((WaitKind.Acquire, new LockId(LockKind.SrwLock, new Address(address)), Trust.Scanned), (wait.Kind, wait.Lock, wait.Trust));
            Assert.StartsWith("register rsi of ", wait.Source, StringComparison.Ordinal);
        });
        LockFacts @lock = Assert.Single(snapshot.Locks());
        Assert.Equal((true, 2u, Trust.Assumed), (@lock.IsHeld.Value, @lock.WaiterCount.Value, @lock.IsHeld.Trust));
        Assert.Equal("SRW locks do not record their owner before Windows 11 24H2", @lock.Owner.Gap?.Why);
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(1UL)]
    [InlineData(0x8000_0000_0000_0001UL)]
    public void From_24H2_on_the_owner_is_the_thread_whose_slots_name_the_lock(ulong flags)
    {
        (NativeHang hang, ulong address, SyntheticThread owner) = Hang(Windows24H2);
        hang.SrwSlots(owner, 0, 0x1234, address | flags);
        hang.SrwSlots(hang.Process.Threads[1], address); // a waiter has put it there before it waits

        LockFacts @lock = Assert.Single(Captured.Of(hang.Process).Locks());
        Assert.Equal((new ThreadId(Owner), Trust.Assumed), (@lock.Owner.Value, @lock.Owner.Trust));
    }

    [Fact]
    public void Slots_that_nobody_or_several_have_name_no_owner()
    {
        (NativeHang hang, ulong address, SyntheticThread owner) = Hang(Windows24H2);
        Assert.Equal("no thread's slots name the lock", Assert.Single(Captured.Of(hang.Process).Locks()).Owner.Gap?.Why);

        hang.SrwSlots(owner, address);
        hang.SrwSlots(hang.Idle(0x10C), address);
        Assert.Contains("slots of 2 threads", Assert.Single(Captured.Of(hang.Process).Locks()).Owner.Gap?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_lock_that_is_free_has_no_owner()
    {
        (NativeHang hang, ulong address, SyntheticThread owner) = Hang(Windows24H2, Waiting);
        hang.SrwSlots(owner, address);
        Assert.False(Assert.Single(Captured.Of(hang.Process).Locks()).Owner.HasValue);
    }

    [Fact]
    public void A_word_without_the_waiting_bit_is_no_lock_that_is_waited_for()
    {
        ProcessSnapshot snapshot = Captured.Of(Hang(flags: Locked).Hang.Process);
        Assert.Empty(snapshot.Waits());
        Assert.NotNull(snapshot.GapOf("SRW lock that thread 0x104"));
    }

    [Fact]
    public void A_chain_that_leaves_the_stacks_or_runs_in_a_circle_is_none()
    {
        foreach (ulong back in new ulong[] { 0x4444_4440, 0 })
        {
            NativeHang hang = new();
            hang.WriteLoaderLock();
            ulong address = hang.Heap.Address + 0x2000;
            ulong self = NativeHang.SrwBlockOf(new NativeHang().AcquireSrw(First, address, 0));
            SyntheticThread thread = hang.AcquireSrw(First, address, back == 0 ? self : back);
            hang.Heap.U64(0x2000, NativeHang.SrwBlockOf(thread) | Locked | Waiting);
            Assert.Equal(self, NativeHang.SrwBlockOf(thread));
            Assert.Empty(Captured.Of(hang.Process).Waits());
        }
    }

    [Fact]
    public void A_chain_is_bounded()
    {
        (NativeHang hang, _, _) = Hang();
        Assert.Empty(Captured.Of(hang.Process, limits: CaptureLimits.Default with { WaitersPerLock = 1 }).Waits());
    }
}
