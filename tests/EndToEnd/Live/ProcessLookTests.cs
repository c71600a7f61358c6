using HangTriage.Capture.Live;
using HangTriage.Cli.Live;
using HangTriage.Facts;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>What `triage ps` says of two processes that do nothing, one of which cannot.</summary>
public sealed class ProcessLookTests
{
    private static readonly CpuTime s_none = new(TimeSpan.Zero, TimeSpan.Zero);

    private const string Idle = "no CPU and no I/O; all 4 threads sleep";

    [Theory]
    [InlineData(Idle + "; all 3 pool workers blocked", true, true, true)]
    [InlineData(Idle + "; 2 of 3 pool workers blocked", true, true, false)]
    [InlineData(Idle, false, false, false)]
    [InlineData(Idle, null, null, null)]
    public void A_starved_pool_is_distinguished_from_an_idle_service(string signs, params bool?[] workers)
        => Assert.Equal(signs, Look(workers, workers).Signs);

    [Fact]
    public void A_worker_that_is_blocked_at_one_look_alone_is_not()
        => Assert.Equal(Idle, Look([true, false, null], [false, true, null]).Signs);

    [Fact]
    public void A_starved_process_is_listed_before_an_idle_one_and_one_with_a_single_worker()
    {
        Assert.True(Look([true, true], [true, true]).Rank > Look([false, false], [false, false]).Rank);
        Assert.Equal(Look([false], [false]).Rank, Look([true], [true]).Rank);
    }

    private static ProcessLook Look(bool?[] then, bool?[] now) => ProcessLook.Of(Process(then), Process(now), TimeSpan.FromSeconds(1));

    // Main, and workers behind it.
    private static ProcessEntry Process(bool?[] workers) => new(1, "service", "service")
    {
        Parent = 0,
        StartedAt = null,
        Cpu = s_none,
        Transferred = 0,
        IsDotNet = true,
        Threads = workers.Prepend(null).Select((worker, id) => (worker, id))
            .ToDictionary(pair => pair.id, pair => Thread(pair.worker)),
    };

    private static ThreadEntry Thread(bool? worker) => new("thread", KernelThreadState.Sleeping, s_none) { IsBlockedWorker = worker };
}
