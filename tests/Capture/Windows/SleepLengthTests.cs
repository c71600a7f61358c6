using HangTriage.Facts;
using HangTriage.Tests.Capture.Windows.Locks;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows;

public sealed class SleepLengthTests
{
    private readonly NativeHang _hang = new();

    private Known<TimeSpan> Delay()
    {
        _hang.WriteLoaderLock();
        return Captured.Of(_hang.Process).Threads.Value[0].SystemCall!.Value.Delay!;
    }

    [Theory]
    [InlineData(-300_000L, 30)]
    [InlineData(-36_000_000_000L, 3_600_000)]
    [InlineData(0L, 0)]
    [InlineData(long.MinValue, -1)]
    public void The_argument_of_a_sleep_says_for_how_long(long units, int milliseconds)
    {
        _hang.Sleep(0x100, units);

        Assert.Equal((TimeSpan.FromMilliseconds(milliseconds), Trust.Derived), (Delay().Value, Delay().Trust));
    }

    [Fact]
    public void A_positive_argument_is_a_time_of_day()
    {
        _hang.Sleep(0x100, 133_000_000_000_000_000);

        Assert.Equal("it ends at a time of day", Delay().Gap?.Why);
    }

    [Fact]
    public void What_is_not_on_the_threads_stack_is_not_believed()
    {
        _hang.Sleep(0x100, long.MinValue, elsewhere: true);

        Assert.Equal("it is not on the thread's stack", Delay().Gap?.Why);
    }

    [Fact]
    public void Registers_from_before_the_call_are_not_its_arguments()
    {
        _hang.Sleep(0x100, long.MinValue, number: 0x35);

        Assert.Equal("the arguments of the system call are not kept", Delay().Gap?.Why);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_argument_of_a_32_bit_sleep_lies_on_its_stack(bool wow64)
    {
        X86Hang hang = new();
        hang.Sleeper(0x108, -300_000L);

        Assert.Equal(
            TimeSpan.FromMilliseconds(30), Captured.Of(hang.ToMinidump(wow64: wow64)).Threads.Value[2].SystemCall!.Value.Delay!.Value);
    }

    [Fact]
    public void Other_calls_have_no_length()
    {
        _hang.Idle(0x100);
        _hang.WriteLoaderLock();

        Assert.Null(Captured.Of(_hang.Process).Threads.Value[0].SystemCall!.Value.Delay);
    }
}
