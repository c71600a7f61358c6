using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Traces;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Times of threads, to the tick, against the schedule from which the trace was written.</summary>
public sealed class ScheduleTests
{
    [Theory]
    [InlineData(1, false, true, null)]
    [InlineData(1, true, true, null)]
    [InlineData(4, false, true, null)]
    [InlineData(4, true, true, 17)]
    [InlineData(4, false, false, 18)]
    [InlineData(64, true, true, null)]
    [InlineData(64, false, true, 19)]
    [InlineData(64, true, false, 20)]
    public void Running_ready_and_waiting_are_those_of_the_schedule(int processors, bool isCompressed, bool is64, int? shuffle)
    {
        SyntheticTrace trace = new() { Processors = processors, IsCompressed = isCompressed, Is64 = is64, Shuffle = shuffle };
        RandomSchedule schedule = new RandomSchedule(trace, threads: processors * 3, seed: processors).Run(20_000);

        TraceFacts facts = EtlFile.Read(trace);

        Assert.Empty(facts.Gaps);
        Assert.Equal(schedule.Length, facts.Length.Ticks);
        Assert.Equal(schedule.Switches, facts.Switches.Value);
        foreach (uint tid in schedule.Threads)
        {
            TraceTimes times = facts.Thread(tid).Times.Value;
            Assert.Equal(
                (tid, schedule.Time(tid, 'r'), schedule.Time(tid, 'y'), schedule.Time(tid, 'w')),
                (tid, times.Running.Ticks, times.Ready.Ticks, times.Waiting.Ticks));
            Assert.Equal(facts.Length, times.Running + times.Ready + times.Waiting);
        }
    }

    /// <summary>A clock that does not divide a second into steps of 100 ns: moments are rounded once, so sums still fit.</summary>
    [Theory]
    [InlineData(3_579_545)]
    [InlineData(2_999_999_937)]
    public void Sums_fit_the_window_whatever_the_clock(long frequency)
    {
        SyntheticTrace trace = new() { Processors = 4, Frequency = frequency };
        RandomSchedule schedule = new RandomSchedule(trace, threads: 12, seed: 5).Run(5_000);

        TraceFacts facts = EtlFile.Read(trace);

        foreach (uint tid in schedule.Threads)
        {
            TraceTimes times = facts.Thread(tid).Times.Value;
            Assert.Equal(facts.Length, times.Running + times.Ready + times.Waiting);
            Assert.Equal(schedule.Time(tid, 'r') / (double)frequency, times.Running.TotalSeconds, 0.000_5);
        }
    }

    [Fact]
    public void A_clock_near_its_end_gives_the_same_times()
    {
        SyntheticTrace trace = new() { Processors = 2, FirstTick = long.MaxValue - 60_000_000 };
        RandomSchedule schedule = new RandomSchedule(trace, threads: 6, seed: 8).Run(2_000);

        TraceFacts facts = EtlFile.Read(trace);

        Assert.All(schedule.Threads, tid => Assert.Equal(schedule.Time(tid, 'r'), facts.Thread(tid).Times.Value.Running.Ticks));
    }

    /// <summary>Of a damaged or hostile file: no other buffer's event comes behind it.</summary>
    [Fact]
    public async Task An_event_at_the_end_of_all_time_is_read_and_ends_the_reading()
    {
        SyntheticTrace trace = new SyntheticTrace { Processors = 2, FirstTick = long.MaxValue - 1000 }.Switch(0, 0, 5, 0).Switch(10, 1, 6, 0).Switch(1000, 0, 0, 5);

        TraceFacts facts = await Task.Run(() => EtlFile.Read(trace)).WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);

        Assert.Equal(3, facts.Switches.Value);
    }

    [Fact]
    public void A_file_that_is_cut_off_is_read_as_far_as_it_goes()
    {
        SyntheticTrace trace = new() { Processors = 2 };
        _ = new RandomSchedule(trace, threads: 6, seed: 9).Run(5_000);
        byte[] whole = trace.Build();

        TraceFacts facts = EtlFile.Read(whole[..(whole.Length - 6000)]);

        Assert.Contains(facts.Gaps, gap => gap.IsLoss && gap.Why.Contains("into a buffer of 4096", StringComparison.Ordinal));
        Assert.True(facts.Switches.Value > 1_000);
    }

    [Fact]
    public void What_was_lost_and_that_a_recording_is_still_open_are_said()
    {
        SyntheticTrace trace = new() { Processors = 2, LostEvents = 12, LostBuffers = 3, IsOpen = true };
        _ = new RandomSchedule(trace, threads: 6, seed: 10).Run(500);

        TraceFacts facts = EtlFile.Read(trace);

        Assert.Equal(12, facts.LostEvents.Value);
        Assert.Equal(3, facts.LostBuffers.Value);
        Assert.Contains(facts.Gaps, gap => gap.Why.Contains("was not stopped", StringComparison.Ordinal));
    }

    /// <summary>A buffer in the middle is gone: the switches around it contradict each other, and that is said.</summary>
    [Fact]
    public void A_missing_buffer_is_seen_from_the_switches()
    {
        SyntheticTrace trace = new() { Processors = 1 };
        _ = new RandomSchedule(trace, threads: 6, seed: 11).Run(5_000);
        byte[] whole = trace.Build();
        byte[] holed = [.. whole[..(10 * 4096)], .. whole[(11 * 4096)..]];

        TraceFacts facts = EtlFile.Read(holed);

        Assert.Contains(facts.Gaps, gap => gap.What == "context switches" && gap.Why.Contains("contradict", StringComparison.Ordinal));
        Assert.All(facts.Threads, thread => Assert.Equal(thread.To - thread.From, thread.Times.Value.Running + thread.Times.Value.Ready + thread.Times.Value.Waiting));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(9)]
    public void A_buffer_that_is_no_buffer_loses_itself_alone(int which)
    {
        SyntheticTrace trace = new() { Processors = 1 };
        _ = new RandomSchedule(trace, threads: 6, seed: 12).Run(5_000);
        byte[] bytes = trace.Build();
        bytes.AsSpan((which + 1) * 4096, 16).Fill(0xAB);

        TraceFacts facts = EtlFile.Read(bytes);

        Assert.Contains(facts.Gaps, gap => gap.What == "damaged buffers");
        Assert.True(facts.Switches.Value > 1_500);
    }

    [Fact]
    public void Reading_stops_where_the_user_says_so()
    {
        SyntheticTrace trace = new() { Processors = 1 };
        _ = new RandomSchedule(trace, threads: 3, seed: 13).Run(100);
        using CancellationTokenSource source = new();
        source.Cancel();

        Assert.Throws<OperationCanceledException>(() => EtlFile.Read(trace.Build(), TraceContext.Default with { Cancellation = source.Token }));
    }
}
