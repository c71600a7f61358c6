using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Facts;

public sealed class CaseTests
{
    [Fact]
    public void One_sample_is_a_case_without_earlier_ones()
    {
        ProcessSnapshot snapshot = At(0);

        Case @case = Case.Of(snapshot);

        Assert.Same(snapshot, @case.Last);
        Assert.Empty(@case.Joins);
        Assert.Empty(@case.Earlier);
    }

    [Fact]
    public void A_case_without_samples_is_none() => Assert.Throws<ArgumentException>(() => Case.Of([]));

    [Fact]
    public void Clocks_put_the_earlier_samples_in_order_and_the_last_given_is_judged()
    {
        Case @case = Case.Of([At(10), At(30), At(20), At(0)]);

        Assert.Equal([30, 20, 10], @case.Joins.Select(join => join.Between.Value.TotalSeconds));
        Assert.Equal([1, 2, 0], @case.Joins.Select(join => join.Given));
        Assert.Equal([30, 20, 10, 0], @case.Samples.Select(sample => (SnapshotBuilder.CapturedAt - sample.Target.CapturedAt.Value).TotalSeconds));
    }

    [Fact]
    public void A_sample_of_another_process_stays_in_the_case_and_is_not_among_the_earlier_ones()
    {
        Case @case = Case.Of([At(20), At(10, pid: 7), At(0)]);

        Assert.Equal(3, @case.Samples.Count);
        Assert.Equal(20, Assert.Single(@case.Earlier).Join.Between.Value.TotalSeconds);
        SampleJoin refused = Assert.Single(@case.Joins, join => !join.IsJoined);
        Assert.Equal((1, "it is of another process: 7, not 4242"), (refused.Given, refused.WhyNot));
        Assert.False(refused.Between.HasValue);
    }

    [Theory]
    [InlineData(true, JoinedBy.StartTime)]
    [InlineData(false, JoinedBy.UsersWord)]
    public void What_joins_two_samples_is_said(bool isStartKnown, JoinedBy expected)
    {
        ProcessSnapshot[] samples = [At(10), At(0)];
        if (isStartKnown)
        {
            samples = [.. samples.Select(sample => sample with { Target = sample.Target with { StartedAt = Known.Read(SnapshotBuilder.CapturedAt.AddHours(-1)) } })];
        }

        Assert.Equal(expected, Assert.Single(Case.Of(samples).Joins).By);
    }

    [Fact]
    public void A_Linux_process_is_known_by_its_seed()
        => Assert.Equal(JoinedBy.RandomSeed, Joined(Core(10, "AA"), Core(0, "AA")).By);

    [Theory]
    [InlineData("BB", 0x1000, "it is of another process: the same id, but another random seed")]
    [InlineData("AA", 0x2000, "it is of another process: the same id, but loaded at other addresses")]
    [InlineData(null, 0x2000, "it is of another process: the same id, but loaded at other addresses")]
    public void Another_process_that_had_the_id_is_refused(string? seed, ulong loader, string whyNot)
        => Assert.Equal(whyNot, Joined(Core(10, seed, loader), Core(0, "AA")).WhyNot);

    [Fact]
    public void Without_a_seed_in_one_of_them_equal_addresses_leave_it_to_the_users_word()
        => Assert.Equal(JoinedBy.UsersWord, Joined(Core(10, null), Core(0, "AA")).By);

    [Fact]
    public void The_time_of_a_file_is_assumed()
    {
        Known<TimeSpan> between = Joined(Core(10, "AA"), Core(0, "AA")).Between;

        Assert.Equal((TimeSpan.FromSeconds(10), Trust.Assumed), (between.Value, between.Trust));
    }

    [Fact]
    public void The_order_that_is_given_counts_where_only_files_have_times()
    {
        Case @case = Case.Of([Core(5, "AA"), Core(20, "AA"), Core(10, "AA")]);

        Assert.Equal([0, 1], @case.Joins.Select(join => join.Given));
        Assert.Equal("the times of the files contradict the order that was given", @case.Joins[0].Between.Gap!.Why);
        Assert.Equal(10, @case.Joins[1].Between.Value.TotalSeconds);
    }

    [Fact]
    public void Samples_without_any_time_are_joined_in_the_order_that_is_given()
    {
        ProcessSnapshot[] samples = [.. new[] { Core(20, "AA"), Core(10, "AA") }.Select(sample => sample with { Target = sample.Target with { CapturedAt = Known.Unknown<DateTimeOffset>("time", "not recorded") } })];

        SampleJoin join = Assert.Single(Case.Of(samples).Joins);

        Assert.Equal((true, "when a capture was taken is not known"), (join.IsJoined, join.Between.Gap?.Why));
    }

    [Fact]
    public void Files_copied_at_once_have_times_that_processor_times_contradict()
    {
        ThreadOptions Used(double seconds) => new() { Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = null };
        ProcessSnapshot then = Core(1, "AA", thread: Used(5));

        Assert.False(Joined(then, Core(0, "AA", thread: Used(9))).Between.HasValue);
        Assert.True(Joined(then, Core(0, "AA", thread: Used(6))).Between.HasValue);
    }

    private static SampleJoin Joined(ProcessSnapshot earlier, ProcessSnapshot last) => Assert.Single(Case.Of([earlier, last]).Joins);

    /// <summary>A core with the time of its file.</summary>
    private static ProcessSnapshot Core(double secondsBefore, string? seed, ulong loader = 0x1000, ThreadOptions? thread = null)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Earlier(TimeSpan.FromSeconds(secondsBefore)).Thread(1, thread, "App.Main").Build();
        ProcessIdentity identity = new(seed is null ? Known.Unknown<string>("seed", "not in the core") : Known.Derived(seed), null, new Address(loader), null);
        return snapshot with
        {
            Target = snapshot.Target with
            {
                CapturedAt = Known<DateTimeOffset>.Of(snapshot.Target.CapturedAt.Value, Trust.Assumed),
                Identity = Known.Read(identity),
            },
        };
    }

    private static ProcessSnapshot At(double secondsBefore, uint pid = 4242)
        => SnapshotBuilder.Windows().Pid(pid).Earlier(TimeSpan.FromSeconds(secondsBefore)).Build();
}
