using HangTriage.Capture.Windows.Loader;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

public sealed class CriticalSectionTests
{
    private static LockFacts Decode(int lockCount, int recursion, ulong owner)
        => CriticalSection.Decode(new LockId(LockKind.LoaderLock, new Address(0x1000)), Known.Derived("loader lock"), lockCount, recursion, owner);

    [Theory]
    [InlineData(-2, 0)]
    [InlineData(-6, 1)]
    [InlineData(-22, 5)]
    [InlineData(-4, 0)]
    public void Below_minus_one_and_even_the_waiters_stand_in_the_upper_bits(int lockCount, uint waiters)
    {
        LockFacts section = Decode(lockCount, 1, 0x6710);
        Assert.True(section.IsHeld.Value);
        Assert.Equal(new ThreadId(0x6710), section.Owner.Value);
        Assert.Equal(waiters, section.WaiterCount.Value);
        Assert.Equal(1u, section.Recursion.Value);
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(1, 1, 1)]
    [InlineData(4, 3, 2)]
    public void From_zero_up_entries_and_waiters_are_counted_plainly(int lockCount, int recursion, uint waiters)
        => Assert.Equal(waiters, Decode(lockCount, recursion, 8).WaiterCount.Value);

    [Fact]
    public void The_owner_of_a_free_section_is_left_from_before_and_is_no_owner()
    {
        LockFacts section = Decode(-1, 0, 0x6710);
        Assert.False(section.IsHeld.Value);
        Assert.False(section.Owner.HasValue);
        Assert.Equal(0u, section.WaiterCount.Value);
    }

    [Theory]
    [InlineData(-3)]
    [InlineData(-7)]
    [InlineData(int.MinValue + 1)]
    public void An_odd_count_below_minus_one_is_neither_held_nor_free(int lockCount)
    {
        LockFacts section = Decode(lockCount, 1, 8);
        Assert.False(section.IsHeld.HasValue);
        Assert.False(section.Owner.HasValue);
    }

    [Theory]
    [InlineData(-7, 0, 0, true)]
    [InlineData(-5, 0, 0, false)] // nobody was told to try
    [InlineData(-7, 1, 8, false)]
    [InlineData(-6, 0, 0, false)] // held
    [InlineData(2, 0, 0, true)] // Wine's count
    [InlineData(0, 0, 0, false)] // it may be no section at all
    public void A_section_that_nobody_has_and_that_counts_a_woken_waiter_is_changing_hands(int lockCount, int recursion, ulong owner, bool isPassing)
        => Assert.Equal(isPassing, Decode(lockCount, recursion, owner).IsPassing);

    [Fact]
    public void Counts_that_contradict_each_other_are_no_number_of_waiters()
    {
        Assert.False(Decode(1, 5, 8).WaiterCount.HasValue);
        Assert.False(Decode(-2, 0, 8).Recursion.HasValue);
        Assert.False(Decode(int.MaxValue, int.MinValue, 8).WaiterCount.HasValue);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0x1_0000_0000)]
    public void A_held_section_without_a_thread_id_has_an_unknown_owner(ulong owner)
    {
        Assert.True(Decode(-2, 1, owner).IsHeld.Value);
        Assert.False(Decode(-2, 1, owner).Owner.HasValue);
    }
}
