using System.Globalization;
using HangTriage.Capture.Managed.Requests;
using HangTriage.Facts.Time;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What a time of the calendar says of an age when the calendar has been set in between.</summary>
public sealed class CalendarClockTests
{
    private static readonly DateTime s_start = new(2026, 5, 4, 12, 0, 0, DateTimeKind.Utc);
    private static readonly ClockFacts s_now = new(TimeSpan.FromSeconds(1_000), TimeSpan.FromSeconds(1_001), []);

    // The runtime's clock was at 0 when the calendar was at 12:00:00; the server looked at 999 s. The request began at 900 s.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 3_600)]
    [InlineData(0, -3_600)]
    [InlineData(3_600, 3_600)]
    [InlineData(-60, -60)]
    public void However_the_calendar_was_set_the_true_age_lies_within_the_bounds(int setBefore, int setInAll)
    {
        string date = s_start.AddSeconds(999.9 + setInAll).ToString("r", CultureInfo.InvariantCulture);
        DateTime noted = s_start.AddSeconds(900 + setBefore);

        CalendarClock clock = CalendarClock.Of(new TimeSpan(s_start.Ticks), TimeSpan.FromSeconds(999.9), date)!;
        Age age = clock.Age(s_now, (ulong)noted.Ticks | (1UL << 62), "Activity")!;

        Assert.InRange(TimeSpan.FromSeconds(100), age.AtLeast, age.AtMost!.Value);
        Assert.True(setInAll != 0 || age.AtLeast > TimeSpan.FromSeconds(97), $"{age}");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("Mon, 04 May 2026 12:00:00")]
    public void Without_a_date_of_today_nothing_is_said(string? date)
        => Assert.Null(CalendarClock.Of(new TimeSpan(s_start.Ticks), TimeSpan.FromSeconds(999), date));

    [Fact]
    public void A_time_that_is_later_than_the_capture_has_no_age()
    {
        string date = s_start.AddSeconds(999).ToString("r", CultureInfo.InvariantCulture);
        CalendarClock clock = CalendarClock.Of(new TimeSpan(s_start.Ticks), TimeSpan.FromSeconds(999), date)!;

        Assert.Null(clock.Age(s_now, (ulong)s_start.AddDays(1).Ticks, "Activity"));
    }
}
