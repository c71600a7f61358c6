using HangTriage.Rules.Claims;

namespace HangTriage.Tests.Unit.Claims;

public sealed class DurationsTests
{
    [Theory]
    [InlineData(0.34, "340 ms")]
    [InlineData(0.9994, "999 ms")]
    [InlineData(0.9996, "1 s")]
    [InlineData(0.988, "988 ms")]
    [InlineData(1.5, "1.5 s")]
    [InlineData(59.94, "59.94 s")]
    [InlineData(59.96, "1 min")]
    [InlineData(134, "2 min 14 s")]
    [InlineData((59 * 60) + 59.4, "59 min 59 s")]
    [InlineData((59 * 60) + 59.6, "1 h")]
    [InlineData(134 * 60, "2 h 14 min")]
    [InlineData(((23 * 60) + 59.4) * 60, "23 h 59 min")]
    [InlineData(((23 * 60) + 59.9) * 60, "1 d")]
    [InlineData(76 * 3_600, "3 d 4 h")]
    [InlineData(-1.5, "-1.5 s")]
    [InlineData(-134, "-2 min 14 s")]
    public void A_length_has_two_units_at_most_and_is_rounded_before_they_are_chosen(double seconds, string expected)
        => Assert.Equal(expected, Durations.Of(TimeSpan.FromSeconds(seconds)));

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-1)]
    public void What_rounds_to_nothing_has_no_sign(long ticks)
        => Assert.Equal("0 ms", Durations.Of(new TimeSpan(ticks)));

    [Fact]
    public void The_longest_lengths_can_be_written()
    {
        Assert.Equal("10675199 d 3 h", Durations.Of(TimeSpan.MaxValue));
        Assert.Equal("-10675199 d 3 h", Durations.Of(TimeSpan.MinValue));
    }
}
