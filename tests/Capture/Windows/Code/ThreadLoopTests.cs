using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows.Code;

/// <summary>Loops as facts of threads.</summary>
public sealed class ThreadLoopTests
{
    private const ulong Ntdll = 0x7FFC_0000_0000;
    private const ulong App = 0x7FF6_0000_0000;
    private const ulong Stack = 0x10_0000;
    private const ulong Teb = 0x7000_0000;

    // In ntdll a stub: mov r10,rcx; mov eax,46h; syscall; ret. In the program: 0: call; jmp 0.
    private static readonly byte[] s_stub = [0x4C, 0x8B, 0xD1, 0xB8, 0x46, 0, 0, 0, 0x0F, 0x05, 0xC3];

    [Fact]
    public void Behind_a_system_call_the_loop_is_looked_for_around_the_call_from_outside_the_systems_layers()
    {
        ThreadFacts thread = Capture(Ntdll + 0x100A);

        Assert.True(thread.IsInSystemCall!.Value);
        Assert.Equal(new LoopFacts(new Address(App + 0x1100), new Address(App + 0x1107), 2, false, 1), thread.Loop!.Value);
    }

    [Fact]
    public void A_thread_in_code_of_its_own_is_on_a_processor_and_one_whose_code_is_missing_may_not_be()
    {
        Assert.False(Capture(App + 0x1105).IsInSystemCall!.Value);
        Assert.NotNull(Capture(0x5555_0000).IsInSystemCall!.Gap);
    }

    [Fact]
    public void A_guessed_frame_makes_a_guessed_loop_and_missing_code_an_unknown_state()
    {
        ThreadFacts thread = Capture(Ntdll + 0x100A, hasNtdll: false);

        Assert.Equal(Trust.Scanned, thread.Stack.Frames[1].Trust);
        Assert.Equal((2, Trust.Scanned), (thread.Loop!.Value.InstructionCount, thread.Loop.Trust));
        Assert.NotNull(thread.IsInSystemCall!.Gap);
    }

    [Fact]
    public void The_spinner_of_the_published_dump_goes_round_its_call_of_SwitchToThread()
    {
        ProcessSnapshot snapshot = TargetFile.Capture(Repository.Sample("LoaderLockSpin", "hang.dmp.gz"), CaptureContext.Default);

        ThreadFacts spinner = snapshot.Threads.Value.Single(thread => thread.Name.Value == "exiting");
        LoopFacts loop = spinner.Loop!.Value;
        FrameFacts frame = spinner.Stack.Frames[loop.FrameIndex];
        Assert.Equal(("spin.dll", "spin_until_released"), (frame.Module, frame.Method));
        Assert.Equal("SwitchToThread", spinner.Stack.Frames[loop.FrameIndex - 1].Method);
        Assert.InRange(frame.Ip.Value, loop.Start.Value + 1, loop.End.Value);
        Assert.Equal((7, false), (loop.InstructionCount, loop.HasPause));
        Assert.True(spinner.IsInSystemCall!.Value);
        Assert.All(snapshot.Threads.Value.Where(thread => thread != spinner), thread => Assert.Null(thread.Loop));
    }

    private static ThreadFacts Capture(ulong ip, bool hasNtdll = true)
    {
        FakeProcess process = new();
        process.Module("app.exe", App, ImageBytes.Size);
        process.Module("ntdll.dll", Ntdll, ImageBytes.Size);
        process.Memory(App, new ImageBytes().Function(0x1100, 0x1107, Info(0)).Code(0x1100, 0xE8, 0, 0, 0, 0, 0xEB, 0xF9).Build());
        if (hasNtdll)
        {
            process.Memory(Ntdll, new ImageBytes().Function(0x2000, 0x2010, Info(0)).Code(0x1000, s_stub).Export("NtYieldExecution", 0x1000).Build());
        }

        process.Words(Stack, App + 0x1105, 0);
        process.Words(Teb, 0, Stack + 16, Stack, 0, 0, 0, Teb, 0, 4, 7, 0, 0, 0x6000_0000, 0);
        process.Thread(7, Teb, FakeProcess.Context(ip, Stack));
        return WindowsCapture.Read(process, CaptureContext.Default).Threads.Value[0];
    }
}
