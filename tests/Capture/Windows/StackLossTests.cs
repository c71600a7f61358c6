using HangTriage.Capture.Windows;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A thread whose stack or registers are lost says so in its stack's gap.</summary>
public sealed class StackLossTests
{
    private const ulong Sp = 0x12_F000;

    private static readonly StackFacts s_stack = new([new FrameFacts { Ip = new Address(0x7700_1040), Sp = new Address(Sp), Kind = FrameKind.Native, Trust = Trust.Read }], null);

    [Fact]
    public void A_stack_that_is_not_there_is_lost()
        => Assert.True(StackLoss.Of(new TargetMemory(new FakeProcess()), 8, s_stack, isInSystemCall: false)!.IsLoss);

    [Theory]
    [InlineData(0, true, true)]
    [InlineData(0, false, false)] // a local variable
    [InlineData(0x7700_2000, true, false)]
    public void A_system_call_returns_to_somewhere(ulong top, bool isInSystemCall, bool isLost)
    {
        FakeProcess process = new();
        process.Words(Sp, top, 0x1234);

        Assert.Equal(isLost, StackLoss.Of(new TargetMemory(process), 8, s_stack, isInSystemCall) is { IsLoss: true });
    }

    [Fact]
    public void A_thread_without_registers_is_lost()
    {
        FakeProcess process = new();
        process.Thread(0x100, 0, []);

        Gap? stopped = Assert.Single(WindowsCapture.Read(process, HangTriage.Capture.CaptureContext.Default).Threads.Value).Stack.Stopped;

        Assert.True(stopped!.IsLoss);
    }
}
