using HangTriage.Capture;
using HangTriage.Capture.Symbols;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Lab;

/// <summary>Our stacks against those of the real engine, thread by thread and frame by frame.</summary>
public sealed class EngineStackTests
{
    [Fact]
    public void The_stacks_of_a_real_dump_are_those_of_the_engine()
        => AssertSameStacks(WindowsLab.Dump("LoaderLockSpin", "0x1806"));

    [Fact]
    public void The_stacks_of_a_small_dump_are_those_of_the_engine_with_image_files()
        => AssertSameStacks(
            WindowsLab.Dump("LoaderLockSpin", "0x1101"),
            SymbolPath.OfFolder(WindowsLab.SystemImages).Then(SymbolPath.OfFolder(WindowsLab.SampleImages("LoaderLockSpin"))));

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
            Assert.Equal(
                engine[thread.OsId.Value].Select(frame => $"{frame.Ip:x} sp {frame.Sp:x}"),
                thread.Stack.Frames.Select(frame => $"{frame.Ip.Value:x} sp {frame.Sp.Value:x}"));
            Assert.Null(thread.Stack.Stopped);
        }
    }
}
