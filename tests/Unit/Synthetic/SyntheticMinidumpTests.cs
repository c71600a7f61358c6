using System.Text;
using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class SyntheticMinidumpTests
{
    private static readonly SyntheticMemory s_stack = new SyntheticMemory(0x2000, 0x100).U64(0x80, 0x1122_3344_5566_7788);

    [Fact]
    public void Two_builds_are_the_same_bytes()
        => Assert.Equal(Dump().Build(), Dump().Build());

    [Fact]
    public void Streams_do_not_overlap_and_end_inside_the_file()
    {
        byte[] bytes = Dump().Build();
        DumpBytes dump = new(bytes);
        (int Size, int Rva)[] streams
            = [.. Enum.GetValues<MinidumpStream>().Select(dump.Stream).Where(stream => stream is not null).Select(stream => stream!.Value).OrderBy(stream => stream.Rva)];

        Assert.Equal((int)dump.U32(8), streams.Length);
        Assert.True(streams[0].Rva >= 32 + (12 * streams.Length));
        Assert.All(streams.Zip(streams.Skip(1)), pair => Assert.True(pair.First.Rva + pair.First.Size <= pair.Second.Rva));
        Assert.True(streams[^1].Rva + streams[^1].Size <= bytes.Length);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_threads_stack_descriptor_leads_to_the_stacks_bytes(bool isFull)
    {
        DumpBytes dump = new((isFull ? Dump().AsFullDump() : Dump().AsSmallDump()).Build());
        int thread = dump.Rva(MinidumpStream.ThreadList) + 4;

        Assert.Equal(0x77u, dump.U32(thread));
        Assert.Equal(0x2000ul, dump.U64(thread + 24));
        Assert.Equal(0x1122_3344_5566_7788ul, dump.U64((int)dump.U32(thread + 36) + 0x80));
        Assert.Equal(isFull, dump.Stream(MinidumpStream.Memory64List) is not null);
        Assert.Equal(!isFull, dump.Stream(MinidumpStream.MemoryList) is not null);
    }

    [Fact]
    public void Memory_is_sorted_by_address_whatever_the_order_of_adding()
    {
        DumpBytes dump = new(Dump().Memory(new SyntheticMemory(0x1000, 0x10).U64(0, 5)).Build());

        Assert.Equal(0x1000ul, dump.U64(dump.Rva(MinidumpStream.Memory64List) + 16));
        Assert.Equal(5ul, dump.Memory(0x1000));
        Assert.Equal(0x1122_3344_5566_7788ul, dump.Memory(0x2080));
        Assert.Null(dump.Memory(0x20FC));
    }

    [Fact]
    public void Cpu_times_are_in_units_of_100_nanoseconds()
    {
        DumpBytes dump = new(Dump().Build());
        int entry = dump.Rva(MinidumpStream.ThreadInfoList) + 12;

        Assert.Equal(0x77u, dump.U32(entry));
        Assert.Equal(15_000_000ul, dump.U64(entry + 32));
        Assert.Equal(80_686_710_000ul, dump.U64(entry + 40));
    }

    [Fact]
    public void Names_of_threads_and_modules_are_counted_in_bytes()
    {
        byte[] bytes = Dump().Build();
        DumpBytes dump = new(bytes);
        int thread = (int)dump.U64(dump.Rva(MinidumpStream.ThreadNames) + 8);
        int module = (int)dump.U32(dump.Rva(MinidumpStream.ModuleList) + 4 + 20);

        Assert.Equal((1u, 0x77u), (dump.U32(dump.Rva(MinidumpStream.ThreadNames)), dump.U32(dump.Rva(MinidumpStream.ThreadNames) + 4)));
        Assert.Equal("Pump", Encoding.Unicode.GetString(bytes, thread + 4, (int)dump.U32(thread)));
        Assert.Equal(@"C:\a.exe", Encoding.Unicode.GetString(bytes, module + 4, (int)dump.U32(module)));
    }

    [Fact]
    public void Object_information_of_a_handle_is_chained()
    {
        SyntheticHandle handle = new(0x44, "Mutant") { Information = [new SyntheticHandleInfo(2, [7, 0, 0, 0]), new SyntheticHandleInfo(3, [9, 0, 0, 0])] };
        DumpBytes dump = new(Dump().Handle(handle).Build());
        int first = (int)dump.U32(dump.Rva(MinidumpStream.HandleData) + 16 + 32);
        int second = (int)dump.U32(first);

        Assert.Equal((2u, 4u, 7u), (dump.U32(first + 4), dump.U32(first + 8), dump.U32(first + 12)));
        Assert.Equal((0u, 3u, 9u), (dump.U32(second), dump.U32(second + 4), dump.U32(second + 12)));
    }

    [Fact]
    public void Lies_are_told_and_nothing_else_changes()
    {
        byte[] honest = Dump().Build();
        byte[] lying = Dump()
            .Lie(MinidumpStream.ThreadList, lie => lie.Count(0xFFFF_FFFF).Size(4))
            .Lie(MinidumpStream.Memory64List, lie => lie.Count(ulong.MaxValue))
            .Lie(MinidumpStream.ModuleList, lie => lie.Rva(0x7FFF_FFFF))
            .Build();
        DumpBytes dump = new(lying);

        Assert.Equal(4, dump.Stream(MinidumpStream.ThreadList)!.Value.Size);
        Assert.Equal(0xFFFF_FFFFu, dump.U32(dump.Rva(MinidumpStream.ThreadList)));
        Assert.Equal(ulong.MaxValue, dump.U64(dump.Rva(MinidumpStream.Memory64List)));
        Assert.Equal(0x7FFF_FFFF, dump.Rva(MinidumpStream.ModuleList));
        Assert.Equal(honest.Length, lying.Length);
        Assert.InRange(honest.Zip(lying).Count(pair => pair.First != pair.Second), 1, 4 + 4 + 8 + 4);
    }

    [Fact]
    public void A_stream_can_lie_over_another_be_left_out_or_cut_off()
    {
        DumpBytes dump = new(Dump().Lie(MinidumpStream.ModuleList, lie => lie.Over(MinidumpStream.ThreadList)).Build());

        Assert.Equal(dump.Rva(MinidumpStream.ThreadList), dump.Rva(MinidumpStream.ModuleList));
        Assert.Null(new DumpBytes(Dump().Without(MinidumpStream.ThreadInfoList).Build()).Stream(MinidumpStream.ThreadInfoList));
        Assert.Equal(Dump().Build()[..100], Dump().TruncateTo(100).Build());
    }

    private static SyntheticMinidump Dump() => new SyntheticMinidump()
        .Process(new SyntheticProcessInfo())
        .Memory(s_stack)
        .Module(new SyntheticModule { Base = 0x40_0000, Size = 0x1000, Path = @"C:\a.exe" })
        .Thread(new SyntheticThreadRecord
        {
            Id = 0x77,
            Name = "Pump",
            Stack = s_stack,
            Context = ContextX86.Create(0x40_0010, 0x2080, 0x2090),
            Times = new SyntheticThreadTimes
            {
                CreatedAt = new DateTime(2017, 3, 1, 9, 0, 0, DateTimeKind.Utc),
                Kernel = TimeSpan.FromSeconds(1.5),
                User = new TimeSpan(0, 2, 14, 28, 671),
            },
        });
}
