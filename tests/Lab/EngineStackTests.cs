using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Lab;

/// <summary>Our stacks against those of the real engine, thread by thread and frame by frame.</summary>
public sealed class EngineStackTests
{
    private const string FullMemory = "0x1806";

    public static TheoryData<string> NativeSamples { get; } = [.. SampleList.Native];

    public static TheoryData<string> ManagedSamples { get; } = [.. StackSamples.All];

    [Theory]
    [MemberData(nameof(NativeSamples))]
    public void The_stacks_of_a_full_dump_are_those_of_the_engine(string sample)
        => AssertSameStacks(WindowsLab.Dump(sample, FullMemory));

    [Fact]
    public void The_stacks_of_a_small_dump_are_those_of_the_engine_with_image_files()
        => AssertSameStacks(
            WindowsLab.Dump("LoaderLockSpin", "0x1101"),
            SymbolPath.OfFolder(WindowsLab.SystemImages).Then(SymbolPath.OfFolder(WindowsLab.SampleImages("LoaderLockSpin"))));

    // The engine has nothing to unwind jitted code with; what it prints past such a frame are stack words.
    [Theory]
    [MemberData(nameof(ManagedSamples))]
    public void The_stacks_of_a_DotNet_program_are_those_of_the_engine_down_to_jitted_code(string sample)
    {
        string dump = WindowsLab.Dump(sample, FullMemory);
        IReadOnlyDictionary<uint, IReadOnlyList<EngineFrame>> engine = EngineFrame.StacksOf(dump);
        IReadOnlyList<ThreadFacts> threads = TargetFile.Capture(dump, CaptureContext.Default).Threads.Value;

        Assert.Equal(engine.Keys.Order(), threads.Select(thread => thread.OsId.Value).Order());
        Assert.Contains(threads, HasJittedCode);
        Assert.Contains(threads, thread => !HasJittedCode(thread));
        // A thread that is just being born continues with registers that the kernel has for it and no code has set: the two differ there by chance.
        foreach (ThreadFacts thread in threads.Where(thread => !IsBeingBorn(thread)))
        {
            int compared = HasJittedCode(thread) ? thread.Stack.Frames.TakeWhile(IsInModule).Count() + 1 : int.MaxValue;
            Assert.Equal(Lines(engine[thread.OsId.Value]).Take(compared), Lines(thread.Stack.Frames).Take(compared));
        }
    }

    [Fact]
    public void Every_kind_of_unwind_data_is_walked_as_the_engine_walks_it()
    {
        WindowsLab.Require();
        using TemporaryFolder folder = new();
        string dump = folder["unwind.dmp"];
        File.WriteAllBytes(dump, EveryUnwindKind.Create().Process.ToMinidump().AsFullDump().Build());

        AssertSameStacks(dump);
    }

    [Fact]
    public void The_real_case_is_walked_as_the_engine_walks_it()
    {
        WindowsLab.Require();
        using TemporaryFolder folder = new();
        string dump = folder["case.dmp"];
        File.WriteAllBytes(dump, RealCaseA.Create().Bytes);

        AssertSameStacks(dump);
    }

    private static void AssertSameStacks(string dump, SymbolPath? symbols = null)
    {
        IReadOnlyDictionary<uint, IReadOnlyList<EngineFrame>> engine = EngineFrame.StacksOf(dump);
        IReadOnlyList<ThreadFacts> threads = TargetFile.Capture(
            dump, CaptureContext.Default with { Symbols = symbols ?? SymbolPath.Empty }).Threads.Value;

        Assert.NotEmpty(engine);
        Assert.Equal(engine.Keys.Order(), threads.Select(thread => thread.OsId.Value).Order());
        foreach (ThreadFacts thread in threads)
        {
            Assert.Equal(Lines(engine[thread.OsId.Value]), Lines(thread.Stack.Frames));
            Assert.Null(thread.Stack.Stopped);
        }
    }

    private static bool IsBeingBorn(ThreadFacts thread) => thread.Stack.Frames is [{ Method: "NtContinue" or "ZwContinue" }, ..];

    private static bool HasJittedCode(ThreadFacts thread) => !thread.Stack.Frames.All(IsInModule);

    private static bool IsInModule(FrameFacts frame) => frame.Module is not null;

    private static IEnumerable<string> Lines(IEnumerable<EngineFrame> frames) => frames.Select(frame => $"{frame.Ip:x} sp {frame.Sp:x}");

    private static IEnumerable<string> Lines(IEnumerable<FrameFacts> frames) => frames.Select(frame => $"{frame.Ip.Value:x} sp {frame.Sp.Value:x}");
}
