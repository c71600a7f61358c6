using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

/// <summary>The table of WaitOnAddress, and what must not be believed of it. There is no code in these dumps: nothing else can tell.</summary>
public sealed class WaitTableTests
{
    private const uint Owner = 0x100;
    private const uint First = 0x104;
    private const uint Second = 0x108;

    private readonly NativeHang _hang = new();

    public WaitTableTests()
    {
        _hang.WriteLoaderLock();
        _hang.Idle(Owner);
    }

    private static int Next => 0x10;

    private static int Previous => 0x18;

    private ProcessSnapshot Read(SyntheticMinidump? dump = null, CaptureLimits? limits = null)
        => Captured.Of(dump ?? _hang.Process.ToMinidump(SyntheticContents.All & ~SyntheticContents.Images), limits);

    /// <summary>The dump with words changed on the stacks, by their address.</summary>
    private SyntheticMinidump With(params (ulong Address, ulong Value)[] words)
    {
        SyntheticMinidump dump = _hang.Process.ToMinidump(SyntheticContents.All & ~SyntheticContents.Images & ~SyntheticContents.Stacks);
        foreach (SyntheticThread thread in _hang.Process.Threads)
        {
            SyntheticMemory stack = thread.Lay().Stack;
            foreach ((ulong address, ulong value) in words.Where(word => stack.Contains(word.Address)))
            {
                stack.U64(stack.OffsetOf(address), value);
            }

            dump.Memory(stack);
        }

        return dump;
    }

    [Fact]
    public void A_chain_of_wait_blocks_names_every_waiter_wherever_it_is_entered()
    {
        ulong section = _hang.Held(0, Owner, 3);
        ulong a = NativeHang.WaitBlockOf(_hang.Enter(First, section, WaitTraces.Table));
        ulong b = NativeHang.WaitBlockOf(_hang.Enter(Second, section, WaitTraces.Table));
        ulong c = NativeHang.WaitBlockOf(_hang.Enter(0x10C, section, WaitTraces.Table));
        _hang.Peb.WaitOnAddressBucket(NativeHang.BucketOf(section + 8), b | 1);

        ProcessSnapshot snapshot = Read(With(
            (a + (ulong)Next, b), (b + (ulong)Next, c), (b + (ulong)Previous, a), (c + (ulong)Previous, b)));
        Assert.Equal([First, Second, 0x10C], snapshot.Waits().Select(wait => wait.Thread.Value));
        Assert.Null(snapshot.GapOf("table"));
        Assert.All(snapshot.Waits(), wait => Assert.Equal("WaitOnAddress table; LockCount counts as many", wait.Source));
    }

    [Fact]
    public void A_chain_in_a_circle_ends()
    {
        ulong section = _hang.Held(0, Owner, 2);
        ulong a = NativeHang.WaitBlockOf(_hang.Enter(First, section, WaitTraces.Table));
        ulong b = NativeHang.WaitBlockOf(_hang.Enter(Second, section, WaitTraces.Table));

        ProcessSnapshot snapshot = Read(With(
            (a + (ulong)Next, b), (b + (ulong)Next, a), (a + (ulong)Previous, b), (b + (ulong)Previous, a)));
        Assert.Equal(2, snapshot.Waits().Count);
    }

    [Fact]
    public void A_chain_is_bounded()
    {
        ulong section = _hang.Held(0, Owner, 2);
        ulong a = NativeHang.WaitBlockOf(_hang.Enter(First, section, WaitTraces.Table));
        ulong b = NativeHang.WaitBlockOf(_hang.Enter(Second, section, WaitTraces.Table));

        ProcessSnapshot snapshot = Read(
            With((b + (ulong)Next, a)), CaptureLimits.Default with { WaitersPerLock = 1 });
        Assert.Single(snapshot.Waits());
        Assert.Equal("more than 1 wait blocks are not read", snapshot.GapOf("table")?.Why);
    }

    [Fact]
    public void A_block_in_the_wrong_bucket_is_none()
    {
        ulong section = _hang.Held(0, Owner, 1);
        SyntheticThread thread = _hang.Enter(First, section, WaitTraces.WaitBlock);
        _hang.Peb.WaitOnAddressBucket(NativeHang.BucketOf(section + 8) ^ 1, NativeHang.WaitBlockOf(thread));

        ProcessSnapshot snapshot = Read();
        Assert.False(snapshot.Windows!.Waits.Is(waits => waits.Count > 0));
        Assert.Contains("is no wait block of bucket", snapshot.GapOf("table")?.Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0x7777)] // no such thread
    [InlineData(Owner)] // the block is not on that thread's stack
    [InlineData(0x1_0000_0104)]
    public void A_block_of_another_thread_is_none(ulong id)
    {
        ulong section = _hang.Held(0, Owner, 1);
        ulong block = NativeHang.WaitBlockOf(_hang.Enter(First, section, WaitTraces.Table));

        Assert.False(Read(With((block + 8, id))).Windows!.Waits.Is(waits => waits.Count > 0));
    }

    [Fact]
    public void A_table_that_leads_out_of_the_dump_is_said()
    {
        _hang.Peb.WaitOnAddressBucket(5, 0x4444_4440);

        Assert.Equal("a wait block at 0x44444440 is not in the dump", Read().GapOf("table")?.Why);
    }

    [Fact]
    public void A_wait_on_an_address_that_is_no_section_is_a_wait_for_a_change()
    {
        ulong address = _hang.Heap.Address + 0x2000;
        _hang.Enter(First, address - 8, WaitTraces.Table);

        WaitFacts wait = Read().WaitOf(First)!;
        Assert.Equal((WaitKind.Signal, new LockId(LockKind.Address, new Address(address)), Trust.Assumed), (wait.Kind, wait.Lock, wait.Trust));
        Assert.False(wait.Timeout.HasValue);
    }
}
