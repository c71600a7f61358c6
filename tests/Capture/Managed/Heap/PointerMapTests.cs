using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

public sealed class PointerMapTests
{
    private const ulong Start = 0x7f00_0000_0028;
    private const ulong Second = Start + PointerMap.BlockSize;

    [Fact]
    public void A_block_that_points_elsewhere_is_passed_by()
    {
        PointerMap map = new([new MemoryRange(Start, Start + (8 * PointerMap.BlockSize))], 8);
        byte[] memory = new byte[PointerMap.BlockSize];
        ulong target = Start + (5 * PointerMap.BlockSize);
        BitConverter.GetBytes(target).CopyTo(memory, 64);
        map.Note(Start, Second, memory);

        Assert.True(map.MayPoint(Start, Second, To(map, target)));
        Assert.False(map.MayPoint(Start, Second, To(map, target + (2 * PointerMap.BlockSize))));
        Assert.True(map.MayPoint(Start, Start, To(map, target + (2 * PointerMap.BlockSize))), "that block was not read");
    }

    [Fact]
    public void Pointers_of_32_bits_are_looked_for_everywhere()
    {
        PointerMap map = new([new MemoryRange(0x1000_0000, 0x1100_0000)], 4);
        map.Note(0x1000_0000, 0x1000_0000, new byte[PointerMap.BlockSize]);

        Assert.True(map.MayPoint(0x1000_0000, 0x1000_0000, To(map, 0x10f0_0000)));
    }

    [Fact]
    public void What_is_no_object_of_the_heap_is_looked_for_everywhere()
    {
        PointerMap map = new([new MemoryRange(Start, Start + (9 * PointerMap.BlockSize))], 8);
        map.Note(Start, Second, new byte[PointerMap.BlockSize]);
        ulong far = Start + (8 * PointerMap.BlockSize);

        Assert.False(map.MayPoint(Start, Second, To(map, far)));
        Assert.True(map.MayPoint(Start, Second, To(map, far, 0x1000)));
    }

    [Theory]
    [InlineData(0x1000, 1UL << 62)]
    [InlineData(0x1000, ulong.MaxValue)]
    [InlineData(0x1000, 0x900)]
    public void A_heap_of_any_stated_size_takes_bounded_memory(ulong start, ulong end)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        PointerMap map = new([new MemoryRange(start, end), new MemoryRange(1UL << 62, ulong.MaxValue)], 8);
        map.Note(0x1000, 0x1000, new byte[PointerMap.BlockSize]);

        Assert.True(map.MayPoint(0x1000, 0x1000, To(map, 0x2000)));
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1 << 20);
    }

    [Fact]
    public void A_range_that_is_listed_twice_is_looked_for_everywhere()
    {
        PointerMap map = new([new MemoryRange(Start, Start + (9 * PointerMap.BlockSize)), new MemoryRange(Start, Start + 8)], 8);
        map.Note(Start, Second, new byte[PointerMap.BlockSize]);

        Assert.True(map.MayPoint(Start, Second, To(map, Start + (8 * PointerMap.BlockSize))));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(8_000)]
    public void However_many_it_points_to_none_is_lost(int count)
    {
        PointerMap map = new([new MemoryRange(Start, Start + (100_000 * (ulong)PointerMap.BlockSize))], 8);
        ulong[] targets = [.. Enumerable.Range(0, count).Select(index => Start + (10 * PointerMap.BlockSize) + ((ulong)index * 70_000))];
        byte[] memory = new byte[PointerMap.BlockSize];
        Buffer.BlockCopy(targets, 0, memory, 0, count * sizeof(ulong));
        map.Note(Start, Second, memory);

        Assert.All(targets, target => Assert.True(map.MayPoint(Start, Second, To(map, target))));
    }

    private static PointerSearch To(PointerMap map, params ulong[] objects) => new([.. objects], map.Heap);
}
