using HangTriage.Capture.Linux.Live;

namespace HangTriage.Tests.Capture.Linux.Live;

public sealed class PoolWorkerTests
{
    /// <summary>As the kernel writes them: of a worker in Task.Wait, of one without work, of one in no call, and of one that runs.</summary>
    [Theory]
    [InlineData(true, "202 0x563cef121bc0 0x189 0x0 0x0 0x0 0xffffffff 0x7f2d2d1fd0e0 0x7f2dbdfc3f16\n")]
    [InlineData(false, "202 0x5591fde72ad0 0x89 0x0 0x7fcffd7f9730 0x0 0xffffffff 0x7fcffd7f9620 0x7fdca3aa3f16\n")]
    [InlineData(false, "-1 0x7fcffd7f9620 0x7fdca3aa3f16\n")]
    [InlineData(false, "running\n")]
    [InlineData(false, "")]
    public void A_worker_that_waits_without_a_time_limit_is_blocked(bool isBlocked, string call)
        => Assert.Equal(isBlocked, PoolWorker.IsEndless(call));

    [Fact]
    public void Other_threads_are_not_asked() => Assert.Null(PoolWorker.IsBlocked("main", "/proc/self/"));
}
