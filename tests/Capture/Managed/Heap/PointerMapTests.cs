using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

public sealed class PointerMapTests
{
    private const ulong Start = 0x7f00_0000_0028;
    private const ulong Second = Start + PointerMap.BlockSize;

    [Theory]
    [InlineData(8)]
    [InlineData(4)]
    public void A_block_that_points_elsewhere_is_passed_by(int pointerSize)
    {
        ulong start = pointerSize == 8 ? Start : 0x1000_0028;
        PointerMap map = new([new MemoryRange(start, start + (8 * PointerMap.BlockSize))], pointerSize);
        byte[] memory = new byte[PointerMap.BlockSize];
        ulong target = start + (3 * PointerMap.BlockSize);
        BitConverter.GetBytes(target).AsSpan(0, pointerSize).CopyTo(memory.AsSpan(8 * pointerSize));
        map.Note(start, start + PointerMap.BlockSize, memory);

        Assert.True(map.MayPoint(start, start + PointerMap.BlockSize, map.RegionsOf([target])));
        Assert.False(map.MayPoint(start, start + PointerMap.BlockSize, map.RegionsOf([target + (2 * PointerMap.BlockSize)])));
        Assert.True(map.MayPoint(start, start, map.RegionsOf([target + (2 * PointerMap.BlockSize)])), "that block was not read");
    }

    [Fact]
    public void What_is_no_object_of_the_heap_is_looked_for_everywhere()
    {
        PointerMap map = new([new MemoryRange(Start, Start + (2 * PointerMap.BlockSize))], 8);
        map.Note(Start, Second, new byte[PointerMap.BlockSize]);

        Assert.False(map.MayPoint(Start, Second, map.RegionsOf([Start])));
        Assert.True(map.MayPoint(Start, Second, map.RegionsOf([Start, 0x1000])));
    }

    [Fact]
    public void A_heap_of_any_stated_size_takes_bounded_memory()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        PointerMap map = new([new MemoryRange(0x1000, 1UL << 62), new MemoryRange(1UL << 62, ulong.MaxValue)], 8);
        map.Note(0x1000, 0x1000, new byte[PointerMap.BlockSize]);

        Assert.True(map.MayPoint(0x1000, 0x1000, map.RegionsOf([0x2000])));
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1 << 20);
    }
}
