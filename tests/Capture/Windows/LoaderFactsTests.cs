using System.Buffers.Binary;
using HangTriage.Capture;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class LoaderFactsTests
{
    private const ulong Teb = 0x7000_0000;
    private const ulong Peb = 0x6000_0000;
    private const ulong Section = 0x5000_0000;

    private static byte[] TebBytes(uint thread = 7, uint waiting = 0, ushort sameTebFlags = 0, int size = 0x1840)
    {
        byte[] teb = new byte[0x1840];
        BinaryPrimitives.WriteUInt64LittleEndian(teb.AsSpan(0x30), Teb);
        BinaryPrimitives.WriteUInt64LittleEndian(teb.AsSpan(0x48), thread);
        BinaryPrimitives.WriteUInt64LittleEndian(teb.AsSpan(0x60), Peb);
        BinaryPrimitives.WriteUInt32LittleEndian(teb.AsSpan(0x1760), waiting);
        BinaryPrimitives.WriteUInt16LittleEndian(teb.AsSpan(0x17EE), sameTebFlags);
        return teb[..size];
    }

    private static FakeProcess Process(byte[] teb, uint build = 22631)
    {
        FakeProcess process = new() { OsBuild = Known.Read(build) };
        process.Memory(Teb, teb);
        process.Thread(7, Teb, FakeProcess.Context(1, 2));
        return process;
    }

    private static void AddLock(FakeProcess process, int lockCount, int recursion, ulong owner)
    {
        byte[] peb = new byte[0x400];
        BinaryPrimitives.WriteUInt64LittleEndian(peb.AsSpan(0x110), Section);
        process.Memory(Peb, peb);
        byte[] section = new byte[0x28];
        BinaryPrimitives.WriteInt32LittleEndian(section.AsSpan(8), lockCount);
        BinaryPrimitives.WriteInt32LittleEndian(section.AsSpan(0xC), recursion);
        BinaryPrimitives.WriteUInt64LittleEndian(section.AsSpan(0x10), owner);
        process.Memory(Section, section);
    }

    private static ProcessSnapshot Read(FakeProcess process) => WindowsCapture.Read(process, CaptureContext.Default);

    private static TebFacts TebOf(FakeProcess process) => Read(process).Threads.Value[0].Teb!.Value;

    [Fact]
    public void The_loader_lock_is_found_from_the_thread_by_the_process_block()
    {
        FakeProcess process = Process(TebBytes());
        AddLock(process, -2, 1, 0x6710);
        WindowsFacts windows = Read(process).Windows!;
        Assert.Equal(new Address(Peb), windows.Peb.Value);
        LockFacts section = windows.LoaderLock.Value;
        Assert.Equal(new LockId(LockKind.LoaderLock, new Address(Section)), section.Id);
        Assert.Equal("loader lock", section.Name.Value);
        Assert.Equal(new ThreadId(0x6710), section.Owner.Value);
        Assert.Equal(0u, section.WaiterCount.Value);
    }

    [Fact]
    public void A_lock_whose_memory_is_missing_has_an_address_and_no_state()
    {
        FakeProcess process = Process(TebBytes());
        byte[] peb = new byte[0x400];
        BinaryPrimitives.WriteUInt64LittleEndian(peb.AsSpan(0x110), Section);
        process.Memory(Peb, peb);
        LockFacts section = Read(process).Windows!.LoaderLock.Value;
        Assert.Equal("the memory at 0x50000000 is not in the dump", section.IsHeld.Gap?.Why);
    }

    [Fact]
    public void A_process_block_whose_memory_is_missing_leaves_the_lock_unknown()
        => Assert.Equal("the process environment block at 0x60000000 is not in the dump", Read(Process(TebBytes())).Windows!.LoaderLock.Gap?.Why);

    // Every kind of dump has these blocks: a dump without one, or with another thread's in its place, is damaged.
    [Theory]
    [InlineData(false, "is not in the dump")]
    [InlineData(true, "is not this thread's")]
    public void A_missing_or_foreign_thread_block_is_a_loss(bool isThere, string why)
    {
        FakeProcess process = new() { OsBuild = Known.Read(22631u) };
        if (isThere)
        {
            process.Memory(Teb, new byte[0x1840]);
        }

        process.Thread(7, Teb, FakeProcess.Context(1, 2));
        Gap gap = Read(process).Threads.Value[0].Teb!.Gap!;

        Assert.True(gap.IsLoss);
        Assert.Contains(why, gap.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void Flags_of_the_parallel_loader_are_read_and_marked_as_assumed()
    {
        TebFacts owner = TebOf(Process(TebBytes(sameTebFlags: 0x1000)));
        Assert.True(owner.IsLoadOwner.Value);
        Assert.False(owner.IsLoaderWorker.Value);
        Assert.Equal(Trust.Assumed, owner.IsLoadOwner.Trust);
        Assert.True(TebOf(Process(TebBytes(sameTebFlags: 0x2008))).IsLoaderWorker.Value);
    }

    [Fact]
    public void A_thread_that_waits_for_the_lock_says_so()
    {
        Assert.True(TebOf(Process(TebBytes(waiting: 1))).WaitingOnLoaderLock.Value);
        Assert.False(TebOf(Process(TebBytes())).WaitingOnLoaderLock.Value);
    }

    [Theory]
    [InlineData(0ul, false)]
    [InlineData(0xFFFF_9C81_0420_1010ul, true)]
    public void A_thread_that_has_called_into_the_window_system_is_marked(ulong win32ThreadInfo, bool expected)
    {
        byte[] teb = TebBytes();
        BinaryPrimitives.WriteUInt64LittleEndian(teb.AsSpan(0x78), win32ThreadInfo);

        Known<bool> isGui = TebOf(Process(teb)).IsGuiThread!;

        Assert.Equal((expected, Trust.Assumed), (isGui.Value, isGui.Trust));
    }

    [Fact]
    public void Before_Windows_10_the_parallel_loaders_flags_are_unknown()
        => Assert.Equal("Windows 9600 has no parallel loader", TebOf(Process(TebBytes(sameTebFlags: 0x1000), 9600)).IsLoadOwner.Gap?.Why);

    [Fact]
    public void A_block_that_is_cut_off_leaves_the_flags_unknown()
    {
        TebFacts teb = TebOf(Process(TebBytes(sameTebFlags: 0x1000, size: 0x1000)));
        Assert.False(teb.IsLoadOwner.HasValue);
        Assert.False(teb.WaitingOnLoaderLock.HasValue);
    }

    [Fact]
    public void Memory_that_is_not_this_threads_block_is_not_taken_for_it()
    {
        byte[] teb = TebBytes(thread: 8);
        teb.AsSpan(0x30, 8).Clear();
        FakeProcess process = Process(teb);
        AddLock(process, -2, 1, 8);
        ProcessSnapshot snapshot = Read(process);
        Assert.False(snapshot.Threads.Value[0].Teb!.HasValue);
        Assert.False(snapshot.Windows!.LoaderLock.HasValue);
    }

    [Fact]
    public void The_loader_of_Wine_keeps_no_flags()
    {
        FakeProcess process = Process(TebBytes(sameTebFlags: 0x1000));
        process.Module("ntdll.dll", UnwindFixture.ImageBase, ImageBytes.Size);
        process.Memory(UnwindFixture.ImageBase, new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("wine_get_version", 0x1000).Build());
        Assert.Equal("the loader of Wine does not keep it", TebOf(process).IsLoadOwner.Gap?.Why);
    }
}
