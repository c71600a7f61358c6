using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Live;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Linux.Live;

/// <summary>What is read of /proc and of the kernel's words, from lines as they were seen.</summary>
public sealed class ProcTests
{
    private const string Stat = "4242 (a (b) c) S 17 4242 4242 0 -1 4194560 2210 0 0 0 250 50 0 0 20 0 7 0 123456 272629760 8214 18446744073709551615 1 1 0 0 0 0 0 4096 17130 0 0 0 17 1 0 0 0 0 0";

    [Fact]
    public void The_name_of_a_process_may_hold_brackets_and_spaces()
    {
        StatFields stat = StatFields.Parse(Stat)!;

        Assert.Equal(("a (b) c", 'S', 17), (stat.Name, stat.State, stat.Parent));
        Assert.Equal((2.5, 0.5, 1234.56), (stat.User.TotalSeconds, stat.Kernel.TotalSeconds, stat.Started.TotalSeconds));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1 (x")]
    [InlineData("1 (x) S 1 2 3")]
    [InlineData(") (")]
    public void A_line_that_makes_no_sense_is_none(string line) => Assert.Null(StatFields.Parse(line));

    [Fact]
    public void The_scheduler_gives_the_time_and_the_ticks_its_shares()
    {
        CpuTime cpu = ThreadFiles.CpuOf(StatFields.Parse(Stat)!, "6000000000 1234 99\n");

        Assert.Equal((5d, 1d), (cpu.User.TotalSeconds, cpu.Kernel.TotalSeconds));
        Assert.Equal(3, ThreadFiles.CpuOf(StatFields.Parse(Stat)!, null).Total().TotalSeconds);
    }

    [Fact]
    public void In_a_container_a_thread_has_the_last_of_its_ids()
    {
        Assert.Equal(7u, ThreadFiles.InnerId("Name:\tapp\nNSpid:\t4242\t19\t7\nState:\tS (sleeping)\n", 4242));
        Assert.Equal(4242u, ThreadFiles.InnerId("Name:\tapp\n", 4242));
    }

    [Fact]
    public void A_line_of_maps_is_read_with_spaces_in_its_path()
    {
        MemoryMap map = MemoryMap.Parse("7f00a000-7f00c000 rw-s 00001000 08:01 1234    /tmp/a b (deleted)")!;

        Assert.Equal((0x7f00a000UL, 0x7f00c000UL, 0x1000UL, "/tmp/a b (deleted)"), (map.Start, map.End, map.FileOffset, map.Path));
        Assert.True(map is { IsReadable: true, IsWritable: true, IsShared: true, IsAnonymous: false });
        Assert.True(MemoryMap.Parse("1000-2000 r-xp 00000000 00:00 0")!.IsAnonymous);
        Assert.Null(MemoryMap.Parse("nonsense"));
        Assert.Null(MemoryMap.Parse("2000-1000 r-xp 00000000 00:00 0"));
    }

    [Fact]
    public void Memory_is_found_by_its_address_and_overlaps_are_left_out()
    {
        MemoryMaps maps = MemoryMaps.Parse("1000-3000 r--p 0 0:0 0 /a\n2000-4000 rw-p 0 0:0 0\n5000-6000 rw-p 0 0:0 0\n", limit: 10);

        Assert.Equal(2, maps.All.Count);
        Assert.Equal("/a", maps.Find(0x2fff)!.Path);
        Assert.Null(maps.Find(0x4000));
        Assert.Equal(0x5000UL, maps.Find(0x5fff)!.Start);
    }

    // Statuses as they were seen: an interrupt, a stop of job control, the runtime's own signal on its way, an end.
    [Theory]
    [InlineData(0x80057f, true, 0)]
    [InlineData(0x80137f, true, 0)]
    [InlineData(0x00227f, true, 34)]
    [InlineData(0x00057f, true, 0)]
    [InlineData(0x000000, false, 0)]
    [InlineData(0x000009, false, 0)]
    public void A_signal_that_is_on_its_way_is_kept(int status, bool isStop, int signal)
        => Assert.Equal((isStop, signal), (new StopStatus(status).IsStop, new StopStatus(status).PendingSignal));

    [Fact]
    public void Of_a_thread_that_cannot_be_stopped_the_kernel_tells_the_call()
    {
        byte[] registers = ThreadRegistersX64.OfCall("202 0x1000 0x80 0x0 0x0 0x0 0xffffffff 0x7ffc0010 0x7f000042\n")!;
        Dictionary<uint, SystemCallState> calls = [];
        ThreadRegistersX64.ReadCall(7, registers, calls);
        byte[] context = new byte[1232];

        Assert.Equal(new SystemCallState(true, 202, HasTimeout: false) { Futex = new FutexWait(0x1000, 0x80, 0) }, calls[7]);
        Assert.True(ThreadRegistersX64.WriteContext(registers, context));
        Assert.Equal((0x7f000042UL, 0x7ffc0010UL), (BitConverter.ToUInt64(context, 0xF8), BitConverter.ToUInt64(context, 0x98)));
        Assert.Null(ThreadRegistersX64.OfCall("running"));
        Assert.Null(ThreadRegistersX64.OfCall("-1 0x7ffc0010 0x7f000042"));
    }

    [Theory]
    [InlineData("588449512 34000000000 298\n", 34.0)]
    [InlineData("588449512\n", null)]
    [InlineData(null, null)]
    public void The_scheduler_tells_how_long_a_thread_was_ready(string? line, double? seconds)
        => Assert.Equal(seconds, ThreadFiles.ReadyOf(line)?.TotalSeconds);

    [Fact]
    public void Registers_for_floating_point_numbers_go_where_the_context_has_them()
    {
        byte[] registers =
            [.. new byte[27 * sizeof(ulong)], .. Enumerable.Range(0, ThreadRegistersX64.FloatBytes).Select(index => (byte)index)];
        byte[] context = new byte[1232];

        Assert.True(ThreadRegistersX64.WriteContext(registers, context));
        Assert.Equal((24, 160), (context[0x118], context[0x1A0]));
    }

    [Fact]
    public void Every_register_goes_to_its_place()
    {
        byte[] registers = [.. Enumerable.Range(0, 27).SelectMany(index => BitConverter.GetBytes((ulong)index + 1))];
        byte[] context = new byte[1232];

        Assert.True(ThreadRegistersX64.WriteContext(registers, context));

        // user_regs_struct counts r15 to r12, rbp, rbx, r11 to r8, rax, rcx, rdx, rsi, rdi, orig_rax, rip, cs, eflags, rsp.
        (int At, ulong Value)[] wanted = [(0xF0, 1), (0xA0, 5), (0x90, 6), (0x78, 11), (0x80, 12), (0x88, 13), (0xA8, 14), (0xB0, 15), (0xF8, 17), (0x98, 20)];
        Assert.All(wanted, register => Assert.Equal(register.Value, BitConverter.ToUInt64(context, register.At)));
        Assert.False(ThreadRegistersX64.WriteContext(registers, new byte[100]));
    }
}
