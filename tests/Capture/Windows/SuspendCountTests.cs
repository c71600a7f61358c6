using HangTriage.Tests.Capture.Windows.Locks;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows;

public sealed class SuspendCountTests
{
    // Whoever writes the dump may have suspended every thread once; it cannot have suspended one of them twice.
    [Theory]
    [InlineData(new uint[] { 0, 0, 0 }, new[] { false, false, false })]
    [InlineData(new uint[] { 1, 1, 1 }, new[] { false, false, false })]
    [InlineData(new uint[] { 0, 1, 0 }, new[] { false, true, false })]
    [InlineData(new uint[] { 1, 2, 1 }, new[] { false, true, false })]
    [InlineData(new uint[] { 0, 1, 1 }, new[] { false, false, false })] // the first one wrote the dump
    [InlineData(new uint[] { 0, 1 }, new[] { false, false })]
    public void A_thread_with_a_higher_count_than_most_is_suspended(uint[] counts, bool[] expected)
        => Assert.Equal(expected.Cast<bool?>(), Suspended(counts));

    [Fact]
    public void A_count_that_the_writer_does_not_know_says_nothing()
        => Assert.Equal([null, false, null], Suspended(uint.MaxValue, 1, 0x8000));

    private static IEnumerable<bool?> Suspended(params uint[] counts)
    {
        NativeHang hang = new();
        for (int i = 0; i < counts.Length; i++)
        {
            hang.Idle(0x100 + (uint)(i * 4)).SuspendCount(counts[i]);
        }

        hang.WriteLoaderLock();
        return Captured.Of(hang.Process).Threads.Value.Select(thread => thread.IsSuspended?.Value);
    }
}
