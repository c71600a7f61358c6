using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>The loops of real programs, as a compiler made them.</summary>
public sealed class LoopTests
{
    [Fact]
    public void The_busy_owner_is_in_the_nine_instructions_that_its_source_has()
    {
        ThreadFacts owner = Thread("BusySectionOwner", "indexer");

        Assert.Equal((9, false, 0), (owner.Loop!.Value.InstructionCount, owner.Loop.Value.HasPause, owner.Loop.Value.FrameIndex));
        Assert.Equal("recount", owner.Stack.Frames[0].Method);
        Assert.False(owner.IsInSystemCall!.Value);
    }

    [Fact]
    public void The_spinner_goes_round_the_return_address_of_SwitchToThread()
    {
        ThreadFacts spinner = Thread("LoaderLockSpin", "exiting");

        LoopFacts loop = spinner.Loop!.Value;
        FrameFacts frame = spinner.Stack.Frames[loop.FrameIndex];
        Assert.Equal("spin.dll", frame.Module);
        Assert.InRange(frame.Ip.Value, loop.Start.Value + 1, loop.End.Value);
    }

    private static ThreadFacts Thread(string sample, string name)
        => TargetFile.Capture(WindowsLab.Dump(sample, "0x1806"), CaptureContext.Default).Threads.Value.Single(thread => thread.Name.Is(text => text == name));
}
