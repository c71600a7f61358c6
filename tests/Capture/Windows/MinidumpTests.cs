using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Capture.Windows.Minidump;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.DumpBytes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class MinidumpTests
{
    private static ProcessSnapshot Capture(DumpBytes dump)
    {
        using ScratchFile file = new(dump.Build());
        return TargetFile.Capture(file.Path, CaptureContext.Default);
    }

    private static string Refusal(byte[] dump)
    {
        using ScratchFile file = new(dump);
        string message = Assert.Throws<TargetOpenException>(() => MinidumpProcess.Open(file.Path, CaptureContext.Default).Dispose()).Message;
        Assert.DoesNotContain('\n', message);
        return message;
    }

    private static byte[] Read(DumpBytes dump, ulong address, int size)
    {
        using ScratchFile file = new(dump.Build());
        using MinidumpProcess process = MinidumpProcess.Open(file.Path, CaptureContext.Default);
        byte[] buffer = new byte[size];
        return buffer[..process.ReadMemory(address, buffer)];
    }

    private static DumpBytes MemoryList(DumpBytes dump, params (ulong Address, uint Size, uint Rva)[] ranges)
    {
        byte[] stream = [.. U32((uint)ranges.Length), .. ranges.SelectMany(r => (byte[])[.. U64(r.Address), .. U32(r.Size), .. U32(r.Rva)])];
        return dump.Stream(5, stream);
    }

    [Fact]
    public void What_the_header_and_the_streams_say_of_the_process_is_read()
    {
        DumpBytes dump = new DumpBytes().System();
        uint name = dump.Text(@"C:\Users\someone\app.exe");
        dump.Stream(4, [.. U32(1), .. Module(0x140000000, 0x1000, name, 0x5A5A5A5A, 1, 2, 3, 4)]);
        dump.Stream(15, [.. U32(24), .. U32(3), .. U32(4711), .. U32(1_699_999_000), .. U32(1), .. U32(2)]);
        TargetFacts target = Capture(dump).Target;
        Assert.Equal(TargetKind.Minidump, target.Kind);
        Assert.Equal(TargetArchitecture.X64, target.Architecture);
        Assert.Equal(22631u, target.OsBuild.Value);
        Assert.Equal(4u, target.ProcessorCount.Value);
        Assert.Equal(4711u, target.Pid.Value);
        Assert.Equal("app.exe", target.ProcessName.Value);
        Assert.Equal(1_700_000_000, target.CapturedAt.Value.ToUnixTimeSeconds());
        Assert.Equal(1_699_999_000, target.StartedAt.Value.ToUnixTimeSeconds());
        ModuleFacts module = Assert.Single(Capture(dump).Modules.Value);
        Assert.Equal(new ModuleFacts("app.exe", new Address(0x140000000), 0x1000) { TimeDateStamp = 0x5A5A5A5A, Version = "1.2.3.4" }, module);
    }

    [Fact]
    public void Names_times_and_start_addresses_join_their_threads()
    {
        DumpBytes dump = new DumpBytes().System().Stream(3, [.. U32(2), .. Thread(0x10), .. Thread(0x20)]);
        uint name = dump.Text("worker\u0007");
        dump.Stream(24, [.. U32(1), .. U32(0x20), .. U64(name)]);
        dump.Stream(17, [.. U32(12), .. U32(64), .. U32(2), .. ThreadInfo(0x20, 0, 133_000_000_000_000_000, 50_000_000, 20_000_000, 0x7FF612345678), .. ThreadInfo(0x10, 8, 1, 2, 3, 4)]);
        IReadOnlyList<ThreadFacts> threads = Capture(dump).Threads.Value;
        Assert.Equal("", threads[0].Name.Value);
        Assert.False(threads[0].Cpu.HasValue);
        Assert.Equal("worker\uFFFD", threads[1].Name.Value);
        Assert.Equal(new CpuTime(TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(5)), threads[1].Cpu.Value);
        Assert.Equal(2022, threads[1].StartedAt.Value.Year);
        Assert.Equal(new Address(0x7FF612345678), threads[1].StartAddress.Value);
    }

    [Fact]
    public void What_no_stream_says_is_unknown_and_says_why()
    {
        ProcessSnapshot snapshot = Capture(new DumpBytes { Time = 0 }.System(processors: 0).Stream(3, [.. U32(1), .. Thread(1)]));
        Assert.False(snapshot.Target.CapturedAt.HasValue);
        Assert.False(snapshot.Target.StartedAt.HasValue);
        Assert.False(snapshot.Target.ProcessorCount.HasValue);
        Assert.False(snapshot.Modules.HasValue);
        Assert.False(snapshot.Target.ProcessName.HasValue);
        Assert.False(snapshot.Target.Runtimes.HasValue);
        Assert.False(snapshot.Managed!.HasValue);
        ThreadFacts thread = snapshot.Threads.Value[0];
        Assert.Equal("the dump has no ThreadNames stream", thread.Name.Gap?.Why);
        Assert.False(thread.Cpu.HasValue);
        Assert.Equal("the target has no registers of this thread", thread.Stack.Stopped?.Why);
        Assert.Contains(snapshot.Gaps, g => g.What == "memory");
    }

    [Theory]
    [InlineData("coreclr.dll", "CoreCLR")]
    [InlineData("CLR.DLL", ".NET Framework")]
    [InlineData("kernel32.dll", null)]
    public void A_runtime_among_the_modules_is_named_and_leaves_its_state_unknown(string module, string? flavor)
    {
        DumpBytes dump = new DumpBytes().System();
        dump.Stream(4, [.. U32(1), .. Module(0x180000000, 0x1000, dump.Text(module), 0, 10, 0, 1226, 5)]);
        ProcessSnapshot snapshot = Capture(dump);
        Assert.Equal(flavor is null ? [] : [new RuntimeFacts(flavor, Known.Read("10.0.1226.5"))], snapshot.Target.Runtimes.Value);
        Assert.Equal(flavor is null, snapshot.Managed is null);
        Assert.False(snapshot.Managed?.HasValue ?? false);
    }

    [Fact]
    public void A_runtime_within_a_single_file_program_is_found_by_its_export()
    {
        DumpBytes dump = new DumpBytes().System();
        byte[] image = new ImageBytes().Function(0x1000, 0x1100, Codes.Info(0)).Export("DotNetRuntimeInfoX", 0x1000).Export("DotNetRuntimeInfo", 0x1010).Build();
        uint rva = dump.Loose(image);
        dump.Stream(4, [.. U32(1), .. Module(0x140000000, ImageBytes.Size, dump.Text("app.exe"))]);
        MemoryList(dump, (0x140000000, (uint)image.Length, rva));
        Assert.Equal("CoreCLR", Assert.Single(Capture(dump).Target.Runtimes.Value).Flavor);
    }

    [Fact]
    public void A_count_padded_to_eight_bytes_is_recognised()
    {
        ProcessSnapshot snapshot = Capture(new DumpBytes().System().Stream(3, [.. U32(1), .. U32(0), .. Thread(0x33)]));
        Assert.Equal(new ThreadId(0x33), snapshot.Threads.Value[0].OsId);
    }

    [Fact]
    public void A_count_beyond_the_stream_is_cut_and_becomes_a_gap()
    {
        ProcessSnapshot snapshot = Capture(new DumpBytes().System().Stream(3, [.. U32(4_000_000_000), .. Thread(0x33)]));
        Assert.Single(snapshot.Threads.Value);
        Assert.Contains(snapshot.Gaps, g => g == new Gap("threads", "the dump states 4000000000 and has room for 1") { IsLoss = true });
    }

    [Fact]
    public void A_stream_beyond_the_file_is_cut_and_becomes_a_gap()
    {
        ProcessSnapshot snapshot = Capture(new DumpBytes().System().Stream(3, [.. U32(100), .. Thread(1), .. Thread(2)], size: 4 + 4800));
        Assert.Equal(2, snapshot.Threads.Value.Count);
        Assert.Contains(snapshot.Gaps, g => g.What == "threads");
    }

    [Fact]
    public void Memory_is_read_across_ranges_that_touch_and_not_across_a_hole()
    {
        DumpBytes dump = new DumpBytes().System();
        uint first = dump.Loose(1, 2, 3, 4);
        dump.Loose(99);
        uint second = dump.Loose(5, 6, 7, 8);
        MemoryList(dump, (0x1004, 4, second), (0x1000, 4, first), (0x100C, 4, first));
        Assert.Equal([3, 4, 5, 6, 7, 8], Read(dump, 0x1002, 20));
        Assert.Equal([3, 4], Read(dump, 0x100E, 20));
        Assert.Empty(Read(dump, 0x1008, 1));
        Assert.Empty(Read(dump, 0xFFF, 1));
        Assert.Empty(Read(dump, ulong.MaxValue, 1));
    }

    [Fact]
    public void Where_ranges_overlap_every_byte_is_still_found()
    {
        DumpBytes dump = new DumpBytes().System();
        uint a = dump.Loose(1, 2, 3, 4, 5, 6);
        uint b = dump.Loose(13, 14, 15, 16, 17, 18, 19, 20);
        MemoryList(dump, (0x1002, 8, b), (0x1000, 6, a), (0x1001, 2, b), (0x1000, 3, b));
        Assert.Equal([17, 18, 19, 20], Read(dump, 0x1006, 10));
        Assert.Equal(10, Read(dump, 0x1000, 20).Length);
    }

    [Fact]
    public void Ranges_of_a_full_dump_lie_one_behind_the_other()
    {
        DumpBytes dump = new DumpBytes().System();
        uint data = dump.Loose(1, 2, 3, 4, 5, 6);
        dump.Stream(9, [.. U64(2), .. U64(data), .. U64(0x7FF000000000), .. U64(2), .. U64(0x1000), .. U64(4)]);
        Assert.Equal([1, 2], Read(dump, 0x7FF000000000, 8));
        Assert.Equal([3, 4, 5, 6], Read(dump, 0x1000, 8));
    }

    [Fact]
    public void A_stack_that_only_the_thread_list_has_is_memory_too()
    {
        DumpBytes dump = new DumpBytes().System();
        uint stack = dump.Loose(7, 7, 7, 7);
        dump.Stream(3, [.. U32(1), .. Thread(1, 0, 0x2000, 4, stack)]);
        Assert.Equal([7, 7, 7, 7], Read(dump, 0x2000, 8));
    }

    [Fact]
    public void Memory_that_the_file_was_cut_off_from_is_missing_and_counted()
    {
        DumpBytes dump = new DumpBytes().System();
        uint data = BodyStart + 56 + 32;
        dump.Stream(9, [.. U64(1), .. U64(data), .. U64(0x1000), .. U64(10)]);
        dump.Loose(1, 2, 3);
        Assert.Equal([1, 2, 3], Read(dump, 0x1000, 10));
        Assert.Contains(Capture(dump).Gaps, g => g.Why == "the dump is cut off: 7 bytes of the memory that it lists are missing");
    }

    [Fact]
    public void Addresses_of_a_32_bit_dump_may_be_sign_extended()
    {
        DumpBytes dump = new DumpBytes().System(architecture: 0);
        uint data = dump.Loose(1, 2, 3, 4);
        MemoryList(dump, (0xFFFFFFFF80001000, 4, data));
        Assert.Equal([1, 2, 3, 4], Read(dump, 0x80001000, 4));
    }

    [Theory]
    [InlineData(5, TargetArchitecture.Arm)]
    [InlineData(12, TargetArchitecture.Arm64)]
    public void Other_architectures_give_the_innermost_frame_and_say_that_stacks_are_not_walked(ushort processor, TargetArchitecture architecture)
    {
        (uint flags, int ip, int size) = architecture switch
        {
            TargetArchitecture.Arm => (0x200007u, 0x40, 416),
            _ => (0x400007u, 0x108, 912),
        };
        byte[] context = new byte[size];
        U32(flags).CopyTo(context, 0);
        U32(0x12345678).CopyTo(context, ip);
        DumpBytes dump = new DumpBytes().System(processor);
        uint rva = dump.Loose(context);
        dump.Stream(3, [.. U32(1), .. Thread(1, 0x7000, 0, 0, 0, (uint)size, rva)]);
        ProcessSnapshot snapshot = Capture(dump);
        Assert.Equal(architecture, snapshot.Target.Architecture);
        StackFacts stack = snapshot.Threads.Value[0].Stack;
        Assert.Equal(new Address(0x12345678), Assert.Single(stack.Frames).Ip);
        Assert.Contains("not walked", stack.Stopped?.Why, StringComparison.Ordinal);
        Assert.False(snapshot.Windows!.LoaderLock.HasValue);
    }

    [Fact]
    public void Files_that_are_no_minidump_of_Windows_are_refused_with_the_reason()
    {
        Assert.Equal("not a minidump: the signature MDMP is missing", Refusal(new DumpBytes { Signature = 1 }.System().Build()));
        Assert.Equal("minidump header: Version 0x1, expected 0xa793", Refusal(new DumpBytes { Version = 1 }.System().Build()));
        Assert.Equal("minidump cut off within its header: 12 of 32 bytes", Refusal(new DumpBytes().System().Build()[..12]));
        Assert.Equal("minidump header: NumberOfStreams 5000 is above the limit of 4096", Refusal(new DumpBytes { StreamCount = 5000 }.System().Build()));
        Assert.StartsWith("minidump header: the directory of 1 streams at 0xfffffff0 ends beyond", Refusal(new DumpBytes { DirectoryRva = 0xFFFFFFF0 }.System().Build()), StringComparison.Ordinal);
        Assert.Equal("this minidump does not say which system it is of: it has no SystemInfo stream", Refusal(new DumpBytes().Build()));
        Assert.StartsWith("minidump SystemInfo stream: 8 bytes", Refusal(new DumpBytes().Stream(7, new byte[8]).Build()), StringComparison.Ordinal);
        Assert.Equal("minidump SystemInfo stream: ProcessorArchitecture 6 is none of x86, x64, ARM and ARM64", Refusal(new DumpBytes().System(architecture: 6).Build()));
    }

    [Theory]
    [InlineData(0x8201, "a minidump of Linux, not of Windows")]
    [InlineData(0x8101, "a minidump of macOS, not of Windows")]
    [InlineData(0x8203, "a minidump of Android, not of Windows")]
    [InlineData(0x1234, "a minidump of an unknown system (PlatformId 0x1234), not of Windows")]
    public void Minidumps_of_other_systems_are_refused_by_name(uint platform, string expected)
        => Assert.Equal(expected, Refusal(new DumpBytes().System(platform: platform).Build()));

    [Fact]
    public void Capturing_stops_where_it_is_cancelled()
    {
        using ScratchFile file = new(new DumpBytes().System().Stream(3, [.. U32(1), .. Thread(1)]).Build());
        CaptureContext cancelled = CaptureContext.Default with { Cancellation = new CancellationToken(true) };
        Assert.Throws<OperationCanceledException>(() => TargetFile.Capture(file.Path, cancelled));
    }
}
