using HangTriage.Capture.Windows.Live;

namespace HangTriage.Tests.Capture.Windows.Live;

/// <summary>What a process has mapped between two lists of its memory.</summary>
public sealed class RegionMapTests
{
    private const uint ReadWrite = 0x04;
    private const uint ReadOnly = 0x02;
    private const uint Guarded = 0x104;

    [Fact]
    public void What_has_grown_is_new_from_where_it_has_grown()
    {
        RegionMap before = new([Of(0x1000, 0x3000), Of(0x8000, 0x9000)]);
        RegionMap now = new([Of(0x1000, 0x5000), Of(0x6000, 0x9000)]);

        Assert.Equal([(0x3000UL, 0x5000UL), (0x6000UL, 0x8000UL)], now.Since(before).Select(region => (region.Start, region.End)));
    }

    [Fact]
    public void What_has_become_writable_is_new_and_what_is_as_it_was_is_not()
    {
        RegionMap before = new([Of(0x1000, 0x2000, ReadOnly), Of(0x2000, 0x3000)]);
        RegionMap now = new([Of(0x1000, 0x2000), Of(0x2000, 0x3000)]);

        Assert.Equal([0x1000UL], now.Since(before).Select(region => region.Start));
        Assert.Empty(now.Since(now));
    }

    [Fact]
    public void A_list_that_was_cut_off_is_continued_by_the_earlier_one()
    {
        RegionMap before = new([Of(0x1000, 0x2000), Of(0x5000, 0x6000)]);
        RegionMap cut = new([Of(0x1000, 0x3000)]);

        RegionMap whole = cut.Or(before);

        Assert.Equal(0x3000UL, whole.Find(0x2800)!.End);
        Assert.Equal(0x5000UL, whole.Find(0x5fff)!.Start);
        Assert.Null(whole.Find(0x4000));
        Assert.Null(whole.Find(0x6000));
    }

    [Fact]
    public void A_guard_page_of_a_stack_is_not_read()
    {
        Assert.False(Of(0x1000, 0x2000, Guarded).IsWritable);
        Assert.False(Of(0x1000, 0x2000, ReadOnly).IsWritable);
        Assert.True(Of(0x1000, 0x2000).IsWritable);
    }

    private static MemoryRegion Of(ulong start, ulong end, uint protection = ReadWrite) => new(start, end, start, protection, Kind: 0x20000);
}
