using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>A real deadlock, of which the core loses a part that is needed: the facts say so.</summary>
public sealed class DamagedCoreTests
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;

    [Fact]
    public async Task Of_a_whole_core_nothing_is_lost()
    {
        byte[] core = await HeapAsync();

        Assert.DoesNotContain(Read(core).Gaps, gap => gap.IsLoss);
    }

    [Fact]
    public async Task The_stack_of_a_waiter_that_is_left_out_is_a_loss()
    {
        byte[] core = await HeapAsync();
        int segment = SegmentOf(core, Waiter(Read(core)).Stack.Frames[0].Sp.Value);
        core.AsSpan(HeaderSize + (segment * ProgramHeaderSize) + 32, sizeof(ulong)).Clear();

        Assert.Contains(Read(core).Gaps, gap => gap is { IsLoss: true, What: "memory that was needed" });
    }

    [Fact]
    public async Task The_objects_that_are_waited_for_are_lost_where_they_are_zeroed()
    {
        byte[] core = await HeapAsync();
        int segment = SegmentOf(core, Read(core).Managed!.Value.Waits.Value.First(wait => wait.Lock.Kind == LockKind.Monitor).Lock.Address.Value);
        core.AsSpan((int)Field(core, segment, 8), (int)Field(core, segment, 32)).Clear();

        Assert.Contains(Read(core).Gaps, gap => gap.IsLoss && gap.Why.Contains("zeros", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_core_cut_off_within_what_is_needed_is_a_loss()
        => Assert.Contains(Read((await HeapAsync())[..^135_000]).Gaps, gap => gap.IsLoss && gap.Why.Contains("cut off", StringComparison.Ordinal));

    [Theory]
    [InlineData(true, "registers")]
    [InlineData(false, "threads")]
    public async Task A_waiter_without_registers_or_without_its_entry_is_a_loss(bool keepEntry, string what)
    {
        byte[] core = await HeapAsync();
        ThreadFacts waiter = Waiter(Read(core));
        int status = StatusOf(core, waiter.OsId.Value);
        if (keepEntry)
        {
            core.AsSpan(status + 112, 27 * sizeof(ulong)).Clear();
        }
        else
        {
            // Another type: the entry is there, and nobody knows it.
            core[status - 8 - 4] = 0x77;
        }

        ProcessSnapshot damaged = Read(core);

        Assert.Contains(damaged.Gaps, gap => gap.IsLoss && gap.What == what);
        Assert.DoesNotContain(damaged.Threads.Value, thread => thread.OsId == waiter.OsId && thread.IsInSystemCall is not null);
    }

    [Fact]
    public async Task A_runtime_that_cannot_be_recognized_is_lost_and_not_absent()
    {
        byte[] core = await HeapAsync();
        ulong runtime = Read(core).Modules.Value.Single(module => module.Name == "libcoreclr.so").Base.Value;
        int segment = SegmentOf(core, runtime);
        core.AsSpan((int)Field(core, segment, 8), (int)Field(core, segment, 32)).Clear();

        Assert.True(Read(core).Managed is { HasValue: false });
    }

    [Fact]
    public async Task Nothing_is_concluded_from_what_is_not_there_beside_a_loss()
    {
        DumpedProcess process = await Cores.SampleAsync("OrphanedMonitor", TargetFramework.Net10, DumpType.WithHeap);
        byte[] core = await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
        ProcessSnapshot whole = Read(core);
        Assert.Contains(whole.Managed!.Value.Locks.Value, found => found.OwnerHasEnded == true);
        ThreadFacts waiter = Waiter(whole);
        core.AsSpan(StatusOf(core, waiter.OsId.Value) + 112, 27 * sizeof(ulong)).Clear();

        Assert.DoesNotContain(Read(core).Managed!.Value.Locks.Value, found => found.OwnerHasEnded == true);
    }

    private static ThreadFacts Waiter(ProcessSnapshot snapshot)
    {
        ThreadId id = snapshot.Managed!.Value.Waits.Value.First(wait => wait.Lock.Kind == LockKind.Monitor).Thread;
        return snapshot.Threads.Value.Single(thread => thread.OsId == id);
    }

    private static async Task<byte[]> HeapAsync()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.WithHeap);
        return await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken);
    }

    private static ProcessSnapshot Read(byte[] core)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, core);
            return LinuxCoreCapture.Read(path, CaptureContext.Default);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static int SegmentOf(byte[] core, ulong address)
        => Enumerable.Range(0, BitConverter.ToUInt16(core, 56))
            .Single(i => BitConverter.ToUInt32(core, HeaderSize + (i * ProgramHeaderSize)) == 1
                && address >= Field(core, i, 16) && address - Field(core, i, 16) < Field(core, i, 32));

    private static ulong Field(byte[] core, int segment, int offset) => BitConverter.ToUInt64(core, HeaderSize + (segment * ProgramHeaderSize) + offset);

    /// <summary>Where the contents of the thread's note NT_PRSTATUS (type 1, 336 bytes, owner "CORE") start: its id is 32 bytes behind.</summary>
    private static int StatusOf(byte[] core, uint thread)
    {
        ReadOnlySpan<byte> mark = [5, 0, 0, 0, 0x50, 1, 0, 0, 1, 0, 0, 0, (byte)'C', (byte)'O', (byte)'R', (byte)'E', 0];
        for (int at = core.AsSpan().IndexOf(mark); at >= 0;)
        {
            int contents = at + mark.Length + 3; // the padding of the owner's name, which createdump fills with anything
            if (BitConverter.ToUInt32(core, contents + 32) == thread)
            {
                return contents;
            }

            int next = core.AsSpan(contents).IndexOf(mark);
            at = next < 0 ? -1 : contents + next;
        }

        throw new InvalidOperationException("The core has no such thread.");
    }
}
