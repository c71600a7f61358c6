using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>Our stacks of a live process against those of the real engine, which looks at the same process behind us.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class LiveStackTests
{
    private const int MostLooks = 20;

    // Every thread of these stands still but for a wait that Wine begins anew: for a critical section after five seconds, then each minute.
    [Theory]
    [InlineData("CriticalSectionCycle")]
    [InlineData("DllMainWaitsForThread")]
    [InlineData("SendMessageBlocked")]
    public void The_stacks_of_a_live_process_are_those_of_the_engine(string sample)
    {
        using LiveWindowsProgram program = LiveWindowsProgram.Start(sample);
        using TemporaryFolder folder = new();

        IReadOnlyList<ThreadFacts> threads = Look(program, folder["0.facts.json"]);
        IReadOnlyDictionary<uint, IReadOnlyList<EngineFrame>> engine = EngineFrame.StacksOf(program);
        for (int look = 1; look < MostLooks && Look(program, folder[$"{look}.facts.json"]) is var after && !Lines(after).SequenceEqual(Lines(threads)); look++)
        {
            threads = after;
            engine = EngineFrame.StacksOf(program);
        }

        Assert.NotEmpty(engine);
        Assert.Equal(engine.Keys.Order(), threads.Select(thread => thread.OsId.Value).Order());
        Assert.All(threads, thread =>
        {
            IReadOnlyList<EngineFrame> theirs = engine[thread.OsId.Value];
            Assert.Equal(theirs.Select(Line), thread.Stack.Frames.Select(Line));
            Assert.Equal(theirs.Select(ModuleOf), thread.Stack.Frames.Select(ModuleOf));
            Assert.Null(thread.Stack.Stopped);
        });
    }

    private static IReadOnlyList<ThreadFacts> Look(LiveWindowsProgram program, string path)
    {
        Assert.Equal(0, WindowsLab.Triage("capture", program.IdText, "-o", WindowsLab.WindowsPath(path), "--samples", "1", "--pause", "2s").ExitCode);
        using FileStream file = File.OpenRead(path);
        return FactsFile.Read(file).Last.Threads.Value;
    }

    private static IEnumerable<string> Lines(IReadOnlyList<ThreadFacts> threads) => threads.SelectMany(thread => thread.Stack.Frames).Select(Line);

    private static string Line(EngineFrame frame) => $"{frame.Ip:x} sp {frame.Sp:x}";

    private static string Line(FrameFacts frame) => $"{frame.Ip.Value:x} sp {frame.Sp.Value:x}";

    private static string ModuleOf(EngineFrame frame) => frame.Name.Split('!', '+')[0].ToUpperInvariant();

    private static string ModuleOf(FrameFacts frame) => Path.GetFileNameWithoutExtension(frame.Module ?? string.Empty).ToUpperInvariant();
}
